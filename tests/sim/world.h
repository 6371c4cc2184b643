#pragma once
// A whole world in memory and in virtual time: every port has a scripted twin here.

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands/session/manager.h"
#include "commands/task.h"

namespace brainstorm::sim {

/// Time that passes only when nothing else can run.
class SimClock : public Clock {
 public:
  explicit SimClock(asio::io_context& io) : io_(io) {}
  WallTime wall() const override {
    return WallTime{std::chrono::sys_days{std::chrono::year{2026} / 1 / 31}} + now_;
  }
  Millis monotonic() const override { return now_; }
  Task<void> sleep(Millis duration) override;
  std::uint64_t random() override { return random_ += 0x9e3779b97f4a7c15ULL; }

  /// Runs until nothing is left to do at any time, or `until` says so.
  void run(const std::function<bool()>& until);

 private:
  asio::io_context& io_;
  Millis now_{0};
  std::uint64_t random_ = 1;
  std::multimap<Millis, asio::steady_timer*> waiting_;
};

/// What a scripted model does for one call.
struct Script {
  Millis takes{1000};
  std::string text;
  std::optional<Error> error;
};

class ScriptedModels : public Models {
 public:
  explicit ScriptedModels(Clock& clock) : clock_(clock) {}
  ModelChoice choose(std::string_view) const override { return {"scripted", "test", "a test"}; }
  bool knows(std::string_view model) const override { return model == "scripted"; }
  Task<Result<Completion>> complete(std::string model, ModelRequest request,
                                    TextSink on_text) override;

  /// By archetype, or by kind for other tasks: one script a call, the last one repeats.
  std::map<std::string, std::vector<Script>> scripts;
  std::map<std::string, int> calls;
  std::vector<std::string> prompts;  // everything that was sent
  int running = 0;
  int most_running = 0;

 private:
  Clock& clock_;
};

class MemoryStore : public Store {
 public:
  explicit MemoryStore(Clock& clock) : clock_(clock) {}
  struct File {
    Json front;
    std::string body;
  };
  struct Directory {
    std::map<std::string, File> files;
    std::vector<Json> log;
    bool locked = false;
    std::map<std::string, Json> inbox, outcomes;
    std::function<void()> watcher;
  };
  std::map<std::string, Directory> sessions;
  std::map<std::string, Directory> archived;
  /// Set: every write fails with it.
  std::optional<Error> broken;
  int writes = 0;

  Result<Listing> list(std::size_t limit) override;
  bool exists(const std::string& session) override { return sessions.contains(session); }
  Task<Result<std::unique_ptr<SessionLock>>> create(std::string session,
                                                    DocumentView state) override;
  Result<std::unique_ptr<SessionLock>> lock(const std::string& session) override;
  Result<State> read_state(const std::string& session) override;
  Task<Result<void>> write_state(std::string session, DocumentView state, Durability) override;
  Task<Result<void>> put(std::string session, std::string name, DocumentView document,
                         Durability) override;
  Result<Document> read(const std::string& session, const std::string& name) override;
  bool has(const std::string& session, const std::string& name) override;
  std::vector<std::string> files(const std::string& session) override;
  Ok append_log(const std::string& session, const Json& event) override;
  Ok post(const std::string& session, const std::string& id, const Json& body) override;
  bool watched(const std::string& session) override;
  std::vector<std::pair<std::string, std::unique_ptr<Json>>> inbox(const std::string&) override;
  Ok settle(const std::string& session, const std::string& id, const Json& outcome) override;
  std::unique_ptr<Json> outcome(const std::string& session, const std::string& id) override;
  Result<std::unique_ptr<Watch>> watch(const std::string& session, std::function<void()>) override;
  Ok archive(const std::string& session) override;
  std::string path(const std::string& session, const std::string& name) const override {
    return "/ws/.workflow/" + session + "/" + name;
  }

 private:
  Clock& clock_;
};

class EmptyWorkspace : public Workspace {
 public:
  Task<Result<Listing>> list() override;
  Result<std::string> read(const std::string& path) override;
};

class RecordingPerson : public Person {
 public:
  void ask(const std::string&, const Decision& decision) override { asked.push_back(decision); }
  void settled(const std::string&, const std::string& decision) override {
    closed.push_back(decision);
  }
  void progress(const Snapshot& snapshot) override { pictures.push_back(snapshot); }
  void delta(const Delta& delta) override { deltas.push_back(delta); }
  void notify(Level, const std::string& message) override { notices.push_back(message); }
  std::vector<Decision> asked;
  std::vector<std::string> closed;
  std::vector<Snapshot> pictures;
  std::vector<Delta> deltas;
  std::vector<std::string> notices;
};

/// A good answer in the format that perspectives are asked for.
std::string good_answer(const std::string& archetype, int confidence = 3);

class World {
 public:
  World();
  ~World();

  asio::io_context io;
  SimClock clock{io};
  ScriptedModels models{clock};
  MemoryStore store{clock};
  EmptyWorkspace workspace;
  RecordingPerson person;
  Settings settings;
  std::unique_ptr<SessionManager> manager;

  /// Throws everything of the process away, as a crash would, and begins a new one on the same
  /// store.
  void restart();
  /// Runs one call of the API to its end.
  template <class T>
  T call(Task<T> task);
  /// Starts a session and lets it run until it waits or has ended.
  SessionRef start(const std::string& question = "Should we replace the hand-written parser?");
  SessionRef settle(const std::string& session);
  Result<SessionRef> decide(const std::string& session, const std::string& choice,
                            std::map<std::string, std::string> values = {});
};

template <class T>
T World::call(Task<T> task) {
  std::optional<T> value;
  std::exception_ptr failure;
  asio::co_spawn(io, std::move(task), [&](const std::exception_ptr& error, T result) {
    failure = error;
    value = std::move(result);
  });
  clock.run([&] { return value.has_value(); });
  if (failure) std::rethrow_exception(failure);
  if (!value) throw std::runtime_error("the call never ended");
  return std::move(*value);
}

}  // namespace brainstorm::sim
