#pragma once
// The seams between what the product does (commands/) and the world (server/). Each port is the
// smallest class a test needs; tests/sim has a scripted twin of every one.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/task_fwd.h"
#include "protocol/brainstorm.h"
#include "protocol/json.h"
#include "protocol/result.h"

namespace brainstorm {

using Millis = std::chrono::milliseconds;
using WallTime = std::chrono::sys_time<Millis>;

/// Time, ids and randomness. Every wait in the product goes through sleep(), so that tests can run
/// in virtual time.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime wall() const = 0;
  /// Goes on during suspend (CLOCK_BOOTTIME); only differences mean anything.
  virtual Millis monotonic() const = 0;
  virtual Task<void> sleep(Millis duration) = 0;
  virtual std::uint64_t random() = 0;
};

class Workspace;

/// What a request is for, beside its text: the offline model and tests read this instead of
/// prompts.
struct ModelTask {
  std::string kind;       // framing · perspective · grouping · synthesis · repair
  std::string archetype;  // of a perspective: an archetype's id
  std::string question;   // the challenge as reframed
  // The task's material, which outlives the call; may be null. perspective: the archetype's row
  // (prompts/data.h). synthesis: {insights [{id, archetype, text, confidence, evidence[]}],
  // themes [{title, insight_ids[]}]}.
  const Json* data = nullptr;
};

struct ModelRequest {
  std::string system;  // byte-identical over the agents of one fan-out: prompt caches
  std::string prompt;
  const Json* schema = nullptr;    // of a structured answer; null for prose
  std::int64_t max_output = 4096;  // tokens
  ModelTask task;
  Workspace* workspace = nullptr;  // what the model may look into; null: nothing
};

struct Completion {
  std::string text;
  std::string model;  // what really answered
  Usage usage;
  std::string stop_reason;  // end · length · refusal
};

/// Receives text while it streams. Called on the loop; must not throw.
using TextSink = std::function<void(std::string_view text)>;

/// Which model plays a role, and why that one.
struct ModelChoice {
  std::string name;    // key of settings.models, or "offline"
  std::string family;  // vendor family, for the one-family warning; empty when unknown
  std::string reason;  // "no model is configured", "roles.critic", …
};

class Models {
 public:
  virtual ~Models() = default;
  virtual ModelChoice choose(std::string_view role) const = 0;
  /// Whether a person may name this model.
  virtual bool knows(std::string_view /*model*/) const { return true; }
  /// Cancellable at any moment. Fails with model_unknown, model_unavailable, model_failed,
  /// unsupported (this model does not do that kind of task) or deadline.
  virtual Task<Result<Completion>> complete(std::string model, ModelRequest request,
                                            TextSink on_text) = 0;
};

/// The person's folder, read-only, inside its borders: no .git, no .workflow, nothing ignored, no
/// .env* or key files, nothing through a link that leaves the folder, no binaries, ≤ 1 MiB a file.
class Workspace {
 public:
  virtual ~Workspace() = default;
  /// Paths relative to the folder, '/'-separated, sorted: what git would track, or without git a
  /// walk that honours .gitignore files. Bounded: `truncated` says that more exist.
  struct Listing {
    std::vector<std::string> paths;
    bool truncated = false;
  };
  virtual Task<Result<Listing>> list() = 0;
  /// A text file's content, valid UTF-8. not_found, too_large, outside_workspace or unsupported
  /// (binary) otherwise.
  virtual Result<std::string> read(const std::string& path) = 0;
};

/// How soon a file must survive a power cut.
enum class Durability {
  synced,  // fsync before return: perspectives, stage changes, decisions
  lazy,    // the page cache is enough: board, progress inside a stage
};

/// What a listing needs, read from the first lines of a state file.
struct SessionHead {
  std::string id;
  std::string mode;
  std::string question;
  std::string state;
  std::string created_at, updated_at, expires_at;  // ISO 8601, UTC
  bool has_pending = false;
};

/// Exclusive right to work on a session; given up on destruction. OS advisory lock, see sessions.
class SessionLock {
 public:
  virtual ~SessionLock() = default;
  /// False once the directory was removed or replaced under us.
  virtual bool still_ours() const = 0;
  virtual void heartbeat() = 0;  // rewrites locked_at; call every 5 minutes
};

/// An answer or command dropped into a session by another process, see `inbox` in sessions.
struct InboxMessage {
  std::string id;  // the decision's id, or "cancel", "retry-…"
  const Json* body = nullptr;
};

/// A document with front matter and body. A name ending in .yaml holds only `front`; one ending in
/// .md holds front matter (when `front` is an object) and the Markdown `body`.
/// `leading` names the keys written first, at every level; the rest follows by name.
struct DocumentView {
  const Json& front;
  std::string_view body = {};
  std::vector<std::string_view> leading = {};
};

/// Session directories of one workspace folder. Names inside a session are relative paths such as
/// "perspectives/critic.md"; a name may not leave its session. Reading never changes anything.
class Store {
 public:
  virtual ~Store() = default;

  /// Newest first; sessions whose head cannot be read are left out and counted.
  struct Listing {
    std::vector<SessionHead> sessions;
    int unreadable = 0;
  };
  virtual Result<Listing> list(std::size_t limit) = 0;
  virtual bool exists(const std::string& session) = 0;

  /// Makes `.workflow/` (with its .gitignore) and the session's directory with its first state and
  /// returns it locked: nobody ever sees a directory without a state.
  virtual Task<Result<std::unique_ptr<SessionLock>>> create(std::string session,
                                                            DocumentView state) = 0;
  /// session_locked with who and since when, when another process works on it.
  virtual Result<std::unique_ptr<SessionLock>> lock(const std::string& session) = 0;

  struct State {
    std::unique_ptr<Json> json;
    bool from_backup = false;  // the main file could not be parsed
  };
  /// workflow-state.yaml or its .bak. session_not_found, session_broken, session_newer.
  virtual Result<State> read_state(const std::string& session) = 0;
  /// Keeps the previous one as .bak.
  virtual Task<Result<void>> write_state(std::string session, DocumentView state,
                                         Durability durability) = 0;

  /// Atomic: temporary file, check, fsync (if synced), rename. Not cancellable: once begun it ends.
  virtual Task<Result<void>> put(std::string session, std::string name, DocumentView document,
                                 Durability durability) = 0;
  struct Document {
    std::unique_ptr<Json> front;  // null object when there is none
    std::string body;
    int body_line = 0;  // lines of the file before the body: its front matter
  };
  virtual Result<Document> read(const std::string& session, const std::string& name) = 0;
  virtual bool has(const std::string& session, const std::string& name) = 0;
  /// Names of the files a person may open, sorted; nested ones with '/'.
  virtual std::vector<std::string> files(const std::string& session) = 0;
  /// One line of log.jsonl.
  virtual Ok append_log(const std::string& session, const Json& event) = 0;

  /// Creates inbox/{id}.json exclusively: already_decided when one is there.
  virtual Ok post(const std::string& session, const std::string& id, const Json& body) = 0;
  /// True while some process waits for this session's inbox (see watch).
  virtual bool watched(const std::string& session) = 0;
  /// Unhandled messages, oldest first.
  virtual std::vector<std::pair<std::string, std::unique_ptr<Json>>> inbox(
      const std::string& session) = 0;
  /// Marks a message as handled with its outcome, beside it: {ok: true} or {error: …}.
  virtual Ok settle(const std::string& session, const std::string& id, const Json& outcome) = 0;
  virtual std::unique_ptr<Json> outcome(const std::string& session, const std::string& id) = 0;

  /// While the returned object lives, `on_message` is called (on the loop) whenever the session's
  /// inbox changes, and watched() is true for other processes.
  class Watch {
   public:
    virtual ~Watch() = default;
  };
  virtual Result<std::unique_ptr<Watch>> watch(const std::string& session,
                                               std::function<void()> on_message) = 0;

  /// Moves a session to .workflow/archive/.
  virtual Ok archive(const std::string& session) = 0;
  /// Absolute path of a file of a session, for links and messages.
  virtual std::string path(const std::string& session, const std::string& name) const = 0;
};

/// Whoever sits at the other end: an editor, a terminal, nobody. Nothing here waits for an answer;
/// answers come back as SessionManager::decide.
class Person {
 public:
  virtual ~Person() = default;
  /// A decision was opened: show it, if there is a way.
  virtual void ask(const std::string& session, const Decision& decision) = 0;
  /// It was answered or withdrawn: close what is still open for it.
  virtual void settled(const std::string& session, const std::string& decision) = 0;
  virtual void progress(const Snapshot& snapshot) = 0;
  virtual void delta(const Delta& delta) = 0;
  enum class Level { info, warning, error };
  virtual void notify(Level level, const std::string& message) = 0;
};

}  // namespace brainstorm
