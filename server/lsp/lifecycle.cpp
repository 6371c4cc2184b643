#include "server/lsp/lifecycle.h"

namespace brainstorm {

Lifecycle::Verdict Lifecycle::request(std::string_view method) const {
  switch (phase_) {
    case Phase::created:
      return method == "initialize" ? Verdict::admit : Verdict::not_initialized;
    case Phase::running:
      return method == "initialize" ? Verdict::invalid : Verdict::admit;
    case Phase::shut_down:
      break;
  }
  return Verdict::invalid;
}

Lifecycle::Verdict Lifecycle::notification(std::string_view method) const {
  if (method == "exit" || phase_ == Phase::running) return Verdict::admit;
  return Verdict::drop;
}

void Lifecycle::initialized() {
  if (phase_ == Phase::created) phase_ = Phase::running;
}

void Lifecycle::client_ready() {
  if (phase_ == Phase::running) client_ready_ = true;
}

void Lifecycle::shutdown() { phase_ = Phase::shut_down; }

}  // namespace brainstorm
