#include "protocol/result.h"

namespace brainstorm {

std::string_view to_string(ErrorCode code) {
  // No default: the compiler then names an enumerator that was forgotten here.
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::parse_error:
      return "parse_error";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::outside_workspace:
      return "outside_workspace";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::deadline:
      return "deadline";
    case ErrorCode::internal:
      return "internal";
    case ErrorCode::prompt_too_short:
      return "prompt_too_short";
    case ErrorCode::prompt_too_long:
      return "prompt_too_long";
    case ErrorCode::prompt_too_few_words:
      return "prompt_too_few_words";
    case ErrorCode::prompt_prohibited:
      return "prompt_prohibited";
    case ErrorCode::folder_missing:
      return "folder_missing";
    case ErrorCode::folder_ambiguous:
      return "folder_ambiguous";
    case ErrorCode::read_only:
      return "read_only";
    case ErrorCode::disk_full:
      return "disk_full";
    case ErrorCode::io_failed:
      return "io_failed";
    case ErrorCode::session_not_found:
      return "session_not_found";
    case ErrorCode::session_ambiguous:
      return "session_ambiguous";
    case ErrorCode::session_locked:
      return "session_locked";
    case ErrorCode::session_changed:
      return "session_changed";
    case ErrorCode::session_broken:
      return "session_broken";
    case ErrorCode::session_newer:
      return "session_newer";
    case ErrorCode::wrong_state:
      return "wrong_state";
    case ErrorCode::already_decided:
      return "already_decided";
    case ErrorCode::decision_missing:
      return "decision_missing";
    case ErrorCode::decision_ambiguous:
      return "decision_ambiguous";
    case ErrorCode::choice_unknown:
      return "choice_unknown";
    case ErrorCode::settings_invalid:
      return "settings_invalid";
    case ErrorCode::restricted:
      return "restricted";
    case ErrorCode::model_unknown:
      return "model_unknown";
    case ErrorCode::model_unavailable:
      return "model_unavailable";
    case ErrorCode::model_failed:
      return "model_failed";
    case ErrorCode::quorum_missed:
      return "quorum_missed";
  }
  return "internal";
}

}  // namespace brainstorm
