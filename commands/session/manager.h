#pragma once
// The session API: every front end (language server, command line) does its work through this class
// and nothing else. A session belongs to the manager, never to the request that started it.
//
// A session advances in *activations*: one runs from the persisted state until a person must
// decide, or to an end. Between activations a session holds no lock and no coroutine; answering its
// decision loads it again, in this process or another.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/ports.h"
#include "commands/settings.h"
#include "commands/task_fwd.h"

namespace asio {
class any_io_executor;
}

namespace brainstorm {

class Mode;

/// Where a session began in the person's documents.
struct Origin {
  std::string uri;
  int start_line = 0, start_character = 0, end_line = 0, end_character = 0;
  std::string text;
};

/// Material that the person hands over beside the question.
struct ContextItem {
  std::string kind;   // selection · file · diagnostics · diff · text
  std::string label;  // what it is, for people: "src/parser.cpp:10-20"
  std::string text;
};

struct StartRequest {
  std::string question;
  std::string mode = "swarm";
  std::string folder;  // path of a workspace folder; empty: the only one
  std::optional<Origin> origin;
  std::vector<ContextItem> context;
  std::optional<Checkpoints> checkpoints;
  std::map<std::string, std::string> models;  // role → model name
};

/// What a start would do, without doing it.
struct Plan {
  std::int64_t context_tokens = 0;    // estimated: code points / 4
  std::int64_t estimated_tokens = 0;  // of the whole run; 0 with a model that uses none
  std::optional<double> estimated_cost;
  std::vector<std::pair<std::string, ModelChoice>> models;  // role → choice
  std::vector<std::string> warnings;
};

/// What every session command answers.
struct SessionRef {
  std::string id;
  std::string state;
  std::vector<Decision> pending_decisions;
};

struct SessionSummary {
  std::string id, mode, question, state, started, updated, folder;
  bool resumable = false;
  std::vector<Decision> pending_decisions;
};

struct SessionFilter {
  std::string state;  // empty: any
  std::string mode;
  std::string folder;  // path; empty: all
  std::size_t limit = 200;
};

/// An answer to an open decision.
struct Answer {
  std::string session;   // id, unique prefix, or "last"
  std::string decision;  // may be empty when exactly one is open
  std::string choice;
  std::map<std::string, std::string> values;
};

class SessionManager {
 public:
  /// All references outlive the manager. `settings` may change between calls; each session keeps
  /// the snapshot that it started with.
  SessionManager(const asio::any_io_executor& executor, Clock& clock, Models& models,
                 Person& person);
  ~SessionManager();
  SessionManager(const SessionManager&) = delete;
  SessionManager& operator=(const SessionManager&) = delete;

  void add_folder(const std::string& path, Store& store, Workspace& workspace,
                  const Settings& settings);
  /// Sessions running there stop and become resumable.
  Task<void> remove_folder(std::string path);
  void add_mode(std::unique_ptr<Mode> mode);
  std::vector<std::string> modes() const;
  /// False: nobody can be asked, so gates follow the settings and reviews are left pending.
  void set_attended(bool attended);

  /// Validates, creates the session on disk and lets it run; returns at once.
  Task<Result<SessionRef>> start(StartRequest request);
  Result<Plan> plan(const StartRequest& request) const;
  /// Returns when the session waits for a person or has ended; at once when it does not run here.
  Task<Result<SessionRef>> settled(std::string session);

  Task<Result<SessionRef>> decide(Answer answer);
  /// Continues a session after a crash, a restart, an abort or a failure.
  Task<Result<SessionRef>> resume(std::string session);
  /// Returns when every child has ended and the session is ABORTED; finished perspectives stay.
  Task<Result<SessionRef>> cancel(std::string session);
  Task<Result<SessionRef>> archive(std::string session);

  Result<std::vector<SessionSummary>> list(const SessionFilter& filter);
  /// The current picture of any session, running or not.
  Result<Snapshot> snapshot(const std::string& session);
  /// Absolute path of what `show` opens: synthesis · board · perspective · log · state …; not_found
  /// says what the session has.
  Result<std::string> artefact(const std::string& session, const std::string& what,
                               const std::string& agent);
  /// A session explained in plain words: what it did, where it stands, what can be done next.
  Result<std::string> explain(const std::string& session);
  /// The full id for an id, a unique prefix, "swarm-…" for "swarm-session-…", or "last".
  Result<std::string> find(const std::string& session);

  /// Stops everything; running sessions stay as they are on disk and can be resumed.
  Task<void> shutdown();
  std::size_t running() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace brainstorm
