#include "server/models/offline.h"

#include <algorithm>
#include <utility>

#include "commands/task.h"
#include "server/models/digest.h"
#include "server/models/lens.h"
#include "server/models/sheet.h"

namespace brainstorm {
namespace {

constexpr std::size_t kCitations = 3;

Task<void> stream(std::string text, TextSink on_text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (on_text) on_text(std::string_view(text).substr(begin, end - begin));
    begin = end;
    co_await yield_turn();
  }
}

}  // namespace

OfflineModel::OfflineModel(Clock& clock, offline::SurveyLimits limits) : surveyor_(clock, limits) {}

Task<Result<Completion>> OfflineModel::complete(ModelRequest request, TextSink on_text) {
  const std::string kind = request.task.kind;
  Completion completion;
  completion.model = "offline";
  completion.stop_reason = "end";
  if (kind == "perspective") {
    ModelTask task = request.task;
    completion.text = co_await perspective(request.workspace, task);
  } else if (kind == "synthesis") {
    completion.text = offline::synthesis_sheet(request.task.question, request.task.data);
  } else {
    co_return Error{ErrorCode::unsupported,
                    "The offline model does not do tasks of kind \"" + kind + "\".",
                    "It writes worksheets only; configure a model for everything else.",
                    {{"kind", kind}}};
  }
  std::string text = completion.text;
  co_await stream(std::move(text), std::move(on_text));
  co_return completion;
}

Task<std::string> OfflineModel::perspective(Workspace* workspace, ModelTask task) {
  const std::string question = task.question;
  auto survey = co_await surveyor_.survey(workspace, question);
  std::vector<offline::Citation> cited;
  const auto view = survey->views.find(offline::lens_of(task.archetype).id);
  if (workspace != nullptr && view != survey->views.end()) {
    std::vector<offline::Candidate> candidates = view->second.candidates;
    cited = co_await offline::quote(*workspace, question, std::move(candidates), kCitations);
  }
  co_return offline::perspective_sheet(*survey, cited, task.archetype, task.data);
}

}  // namespace brainstorm
