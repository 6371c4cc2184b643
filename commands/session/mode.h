#pragma once
// A way to brainstorm, as the session engine sees it: stages that advance from the persisted state,
// and decisions that change it.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "commands/ports.h"
#include "commands/session/state.h"
#include "commands/task_fwd.h"

namespace brainstorm {

class Session;

class Mode {
 public:
  virtual ~Mode() = default;
  virtual std::string_view name() const = 0;
  /// Session directories begin with it: "swarm-session-".
  virtual std::string_view directory_prefix() const = 0;
  virtual const std::vector<Transition>& transitions() const = 0;
  /// Stage names as shown, in order: FRAMING, DIVERGING, …
  virtual const std::vector<std::string_view>& stages() const = 0;
  /// Stage (1-based) that a state belongs to; 0 before the first.
  virtual int stage_of(const SessionState& state) const = 0;
  /// Roles whose models are chosen, and stored, at the start.
  virtual std::vector<std::string> roles() const = 0;

  /// Fills a new session's state: agents, stages.
  virtual void begin(SessionState& state) const = 0;
  /// Works from the persisted state until a person must decide or the session has ended. An error
  /// of storage leaves the session as it is on disk; any other one makes it FAILED.
  virtual Task<Result<void>> advance(Session& session) const = 0;
  /// Changes the state by an answer. On an error nothing was changed.
  virtual Ok apply(Session& session, const Decision& decision, const std::string& choice,
                   const std::map<std::string, std::string>& values) const = 0;
  /// Makes an ended or crashed session ready to advance: which state it goes on from.
  virtual Ok prepare_resume(Session& session) const = 0;
};

}  // namespace brainstorm
