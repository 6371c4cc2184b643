#pragma once
// What the process ends with.

#include <string>
#include <vector>

#include "protocol/brainstorm.h"
#include "protocol/result.h"

namespace brainstorm::cli {

enum ExitCode : int {
  kDone = 0,  // also when only the review is pending
  kFailed = 1,
  kUsage = 2,  // what was typed or configured cannot be right
  kNeedsDecision = 3,
  kAborted = 4,
  kInterrupted = 130,
};

int exit_code(const Error& error);
/// Of a session that runs no more, or waits.
int exit_code(const std::string& state, const std::vector<Decision>& pending);

}  // namespace brainstorm::cli
