#include "server/cli/exit_codes.h"

namespace brainstorm::cli {

int exit_code(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::prompt_too_short:
    case ErrorCode::prompt_too_long:
    case ErrorCode::prompt_too_few_words:
    case ErrorCode::prompt_prohibited:
    case ErrorCode::folder_missing:
    case ErrorCode::folder_ambiguous:
    case ErrorCode::session_not_found:
    case ErrorCode::session_ambiguous:
    case ErrorCode::decision_ambiguous:
    case ErrorCode::choice_unknown:
    case ErrorCode::settings_invalid:
    case ErrorCode::model_unknown:
      return kUsage;
    case ErrorCode::cancelled:
      return kInterrupted;
    default:
      return kFailed;
  }
}

int exit_code(const std::string& state, const std::vector<Decision>& pending) {
  for (const auto& decision : pending) {
    if (decision.blocking && decision.kind != "review") return kNeedsDecision;
  }
  if (state == "FAILED") return kFailed;
  if (state == "ABORTED") return kAborted;
  return kDone;
}

}  // namespace brainstorm::cli
