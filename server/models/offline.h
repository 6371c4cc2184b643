#pragma once
// The model that is always there: no network, no key, the same answer to the same question about
// the same files. It writes worksheets and says so.

#include <chrono>

#include "commands/ports.h"
#include "server/models/survey.h"

namespace brainstorm {

class OfflineModel {
 public:
  explicit OfflineModel(Clock& clock, offline::SurveyLimits limits = {});

  /// Tasks `perspective` and `synthesis`; others are `unsupported`. A workspace that is missing or
  /// cannot be read makes a sheet that says so. Text comes line by line; cancellable at each.
  Task<Result<Completion>> complete(ModelRequest request, TextSink on_text);

 private:
  Task<std::string> perspective(Workspace* workspace, ModelTask task);

  offline::Surveyor surveyor_;
};

}  // namespace brainstorm
