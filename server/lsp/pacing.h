#pragma once
// Streamed text, joined so that at most ten pieces a second and agent are sent.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/ports.h"
#include "protocol/brainstorm.h"

namespace brainstorm {

class DeltaPacer {
 public:
  static constexpr Millis kInterval{100};

  /// What may be sent now: the piece itself, or nothing while an earlier one is too recent.
  std::optional<Delta> add(Delta delta, Millis now);
  /// Pieces whose time has come.
  std::vector<Delta> take(Millis now);
  /// When take() wants to be called.
  std::optional<Millis> due() const;
  /// The session rests: what is held comes out, the rest is forgotten.
  std::vector<Delta> finish(const std::string& session);

 private:
  struct Stream {
    Millis sent{0};
    Delta held;  // empty text: nothing is held
  };
  std::map<std::pair<std::string, std::string>, Stream> streams_;  // session, agent
};

}  // namespace brainstorm
