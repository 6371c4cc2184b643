#pragma once
// One session while it is being worked on: its state, its lock, and how changes reach disk and
// people.

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "commands/ports.h"
#include "commands/session/mode.h"
#include "commands/session/state.h"
#include "commands/settings.h"
#include "commands/task.h"

namespace brainstorm {

/// The world as one folder's sessions see it. All outlive the session.
struct SessionPorts {
  Clock& clock;
  Models& models;
  Person& person;
  Store& store;
  Workspace& workspace;
  std::string folder;
};

/// How often what is shown and what is lazily written may change.
inline constexpr Millis kViewInterval{100};
inline constexpr Millis kBoardInterval{1000};
inline constexpr Millis kHeartbeat = std::chrono::minutes(5);

class Session {
 public:
  Session(const asio::any_io_executor& executor, SessionPorts ports,
          std::shared_ptr<const Mode> mode, Settings settings, SessionState state,
          std::unique_ptr<SessionLock> lock);

  SessionPorts ports;
  const Mode& mode;
  Settings settings;
  SessionState state;
  bool attended = true;  // somebody can be asked
  bool cancelling = false;

  const std::string& id() const { return state.id; }

  /// Changes the state by the mode's table; the caller saves.
  Ok move(std::string_view to);
  /// move, save, show: what begins a stage.
  Task<Result<void>> enter(std::string to);
  /// session_changed when something else wrote since: nobody's work is overwritten.
  Task<Result<void>> save(Durability durability);
  /// Store::put into this session, not to be cut short by a cancellation.
  Task<Result<void>> put(std::string name, DocumentView document, Durability durability);

  /// Opens a decision; the activation saves and asks when the mode returns.
  void open(Decision decision);
  /// An open decision of that kind, or nullptr.
  const Decision* pending(std::string_view kind) const;

  void begin_stage(std::string_view stage);
  void end_stage(std::string_view stage);
  void warn(std::string text);
  /// One line of log.jsonl; `event` is an object, time and kind are added.
  void log(std::string_view kind, Json event);
  void log(std::string_view kind);

  /// Text of an agent as it streams.
  void heard(const std::string& agent, std::string_view text);
  void agent_started(AgentRecord& agent);
  void agent_ended(AgentRecord& agent);

  /// Which model plays a role: as stored at the start.
  std::string model_for(std::string_view role) const;

  Snapshot snapshot() const;
  /// Sends the picture now; touch() does it soon, at most ten times a second.
  void show();
  void touch();
  /// Writes board.md when due (`always`: now).
  Task<void> write_board(bool always);
  /// Runs beside the work: sends touched pictures, board, the lock's heartbeat. Never returns.
  Task<void> keep();
  Task<void> keep_lock();

  Millis machine_time() const;
  WallTime now() const { return ports.clock.wall(); }
  std::string timestamp() const;
  void release_lock() { lock_.reset(); }

 private:
  std::shared_ptr<const Mode> mode_owner_;  // work may outlive the manager for a moment
  /// Reads the state from disk: session_changed when another id or revision stands there.
  Ok verify() const;

  struct Live {
    Millis started{0};
    Millis last_activity{0};
    std::int64_t offset = 0;  // code points so far
    std::string line;         // what streams after the last newline
    std::string headline;
  };

  std::unique_ptr<SessionLock> lock_;
  Millis activated_;       // monotonic
  Millis machine_before_;  // machine time of earlier activations
  std::map<std::string, Live> live_;
  Signal touched_;
  Signal idle_;  // no write of the state is under way
  Millis board_written_{-1};
};

}  // namespace brainstorm
