#include "tests/sim/world.h"

#include <asio/error.hpp>
#include <asio/redirect_error.hpp>
#include <asio/system_error.hpp>
#include <asio/use_awaitable.hpp>

#include "commands/swarm/swarm.h"

namespace brainstorm::sim {

Task<void> SimClock::sleep(Millis duration) {
  const Millis due = now_ + duration;
  asio::steady_timer timer(io_, asio::steady_timer::time_point::max());
  struct Slot {
    std::multimap<Millis, asio::steady_timer*>& all;
    std::multimap<Millis, asio::steady_timer*>::iterator at;
    ~Slot() { all.erase(at); }
  };
  const Slot slot{waiting_, waiting_.emplace(due, &timer)};
  while (now_ < due) {
    asio::error_code woken;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    auto state = co_await asio::this_coro::cancellation_state;
    if (now_ < due && state.cancelled() != asio::cancellation_type::none) {
      throw asio::system_error(asio::error::operation_aborted);
    }
  }
}

void SimClock::run(const std::function<bool()>& until) {
  while (true) {
    if (io_.stopped()) io_.restart();
    while (!until() && io_.poll_one() > 0) {
    }
    if (until() || waiting_.empty()) return;
    now_ = waiting_.begin()->first;
    for (auto& [due, timer] : waiting_) {
      if (due <= now_) timer->cancel();
    }
  }
}

Task<Result<Completion>> ScriptedModels::complete(std::string model, ModelRequest request,
                                                  TextSink on_text) {
  const std::string key =
      request.task.kind == "perspective" ? request.task.archetype : request.task.kind;
  prompts.push_back(request.system + request.prompt);
  const auto found = scripts.find(key);
  if (found == scripts.end()) {
    if (request.task.kind != "perspective") {
      co_return Error{ErrorCode::unsupported, "not scripted", "", {}};
    }
  }
  const int call = calls[key]++;
  Script script{Millis{1000}, good_answer(request.task.archetype), {}};
  if (found != scripts.end()) {
    const auto& list = found->second;
    script = list[std::min(static_cast<std::size_t>(call), list.size() - 1)];
  }
  struct Count {
    int& value;
    ~Count() { --value; }
  };
  most_running = std::max(most_running, ++running);
  const Count count{running};
  const Millis half = script.takes / 2;
  co_await clock_.sleep(half);
  if (!script.text.empty()) on_text(script.text.substr(0, script.text.size() / 2));
  co_await clock_.sleep(script.takes - half);
  if (script.error) co_return *script.error;
  on_text(script.text.substr(script.text.size() / 2));
  Completion completion;
  completion.text = script.text;
  completion.model = model;
  completion.usage.tokens_in = 100;
  completion.usage.tokens_out = 50;
  completion.stop_reason = "end";
  co_return completion;
}

namespace {

class MemoryLock : public SessionLock {
 public:
  MemoryLock(MemoryStore& store, std::string session)
      : store_(store), session_(std::move(session)) {
    store_.sessions[session_].locked = true;
  }
  ~MemoryLock() override {
    const auto found = store_.sessions.find(session_);
    if (found != store_.sessions.end()) found->second.locked = false;
  }
  bool still_ours() const override { return store_.sessions.contains(session_); }
  void heartbeat() override {}

 private:
  MemoryStore& store_;
  std::string session_;
};

class MemoryWatch : public Store::Watch {
 public:
  MemoryWatch(MemoryStore& store, std::string session)
      : store_(store), session_(std::move(session)) {}
  ~MemoryWatch() override {
    const auto found = store_.sessions.find(session_);
    if (found != store_.sessions.end()) found->second.watcher = nullptr;
  }

 private:
  MemoryStore& store_;
  std::string session_;
};

Error no_session(const std::string& session) {
  return {ErrorCode::session_not_found, "no session " + session, "", {}};
}

}  // namespace

Result<Store::Listing> MemoryStore::list(std::size_t limit) {
  Listing listing;
  for (auto at = sessions.rbegin(); at != sessions.rend() && listing.sessions.size() < limit;
       ++at) {
    const Json& state = at->second.files["workflow-state.yaml"].front;
    listing.sessions.push_back(
        {at->first, json::text_or(state, "mode"), json::text_or(state, "original_prompt"),
         json::text_or(state, "current_state"), json::text_or(state, "created_at"),
         json::text_or(state, "last_updated"), json::text_or(state, "expires_at"),
         !state["pending_decisions"].empty()});
  }
  return listing;
}

Task<Result<std::unique_ptr<SessionLock>>> MemoryStore::create(std::string session,
                                                               DocumentView state) {
  if (broken) co_return *broken;
  sessions[session].files["workflow-state.yaml"] = {state.front, {}};
  std::unique_ptr<SessionLock> lock = std::make_unique<MemoryLock>(*this, session);
  co_return lock;
}

Result<std::unique_ptr<SessionLock>> MemoryStore::lock(const std::string& session) {
  if (!sessions.contains(session)) return no_session(session);
  if (sessions[session].locked) return Error{ErrorCode::session_locked, "locked", "", {}};
  std::unique_ptr<SessionLock> lock = std::make_unique<MemoryLock>(*this, session);
  return lock;
}

Result<Store::State> MemoryStore::read_state(const std::string& session) {
  if (!sessions.contains(session)) return no_session(session);
  State state;
  state.json = std::make_unique<Json>(sessions[session].files["workflow-state.yaml"].front);
  return state;
}

Task<Result<void>> MemoryStore::write_state(std::string session, DocumentView state, Durability) {
  const std::string name = "workflow-state.yaml";
  const auto durability = Durability::synced;
  auto written = co_await put(session, name, state, durability);
  co_return written;
}

Task<Result<void>> MemoryStore::put(std::string session, std::string name, DocumentView document,
                                    Durability) {
  if (broken) co_return *broken;
  const File file{document.front, std::string(document.body)};
  Signal never(co_await asio::this_coro::executor);
  never.set();
  co_await never.wait_uncancelled();
  if (!sessions.contains(session)) co_return no_session(session);
  ++writes;
  sessions[session].files[name] = file;
  co_return Ok{};
}

Result<Store::Document> MemoryStore::read(const std::string& session, const std::string& name) {
  if (!has(session, name)) return Error{ErrorCode::not_found, "no file " + name, "", {}};
  const File& file = sessions[session].files[name];
  Document document;
  document.front = std::make_unique<Json>(file.front);
  document.body = file.body;
  document.body_line = 10;
  return document;
}

bool MemoryStore::has(const std::string& session, const std::string& name) {
  return sessions.contains(session) && sessions[session].files.contains(name);
}

std::vector<std::string> MemoryStore::files(const std::string& session) {
  std::vector<std::string> names;
  if (!sessions.contains(session)) return names;
  for (const auto& [name, file] : sessions[session].files) names.push_back(name);
  return names;
}

Ok MemoryStore::append_log(const std::string& session, const Json& event) {
  sessions[session].log.push_back(event);
  return {};
}

Ok MemoryStore::post(const std::string& session, const std::string& id, const Json& body) {
  if (!sessions[session].inbox.emplace(id, body).second) {
    return Error{ErrorCode::already_decided, "already posted", "", {}};
  }
  if (sessions[session].watcher) sessions[session].watcher();
  return {};
}

bool MemoryStore::watched(const std::string& session) { return bool(sessions[session].watcher); }

std::vector<std::pair<std::string, std::unique_ptr<Json>>> MemoryStore::inbox(
    const std::string& session) {
  std::vector<std::pair<std::string, std::unique_ptr<Json>>> messages;
  for (const auto& [id, body] : sessions[session].inbox) {
    if (!sessions[session].outcomes.contains(id)) {
      messages.emplace_back(id, std::make_unique<Json>(body));
    }
  }
  return messages;
}

Ok MemoryStore::settle(const std::string& session, const std::string& id, const Json& outcome) {
  sessions[session].outcomes[id] = outcome;
  return {};
}

std::unique_ptr<Json> MemoryStore::outcome(const std::string& session, const std::string& id) {
  const auto found = sessions[session].outcomes.find(id);
  return found == sessions[session].outcomes.end() ? nullptr
                                                   : std::make_unique<Json>(found->second);
}

Result<std::unique_ptr<Store::Watch>> MemoryStore::watch(const std::string& session,
                                                         std::function<void()> on_message) {
  sessions[session].watcher = std::move(on_message);
  std::unique_ptr<Watch> watching = std::make_unique<MemoryWatch>(*this, session);
  return watching;
}

Ok MemoryStore::archive(const std::string& session) {
  archived[session] = std::move(sessions[session]);
  sessions.erase(session);
  return {};
}

Task<Result<Workspace::Listing>> EmptyWorkspace::list() { co_return Listing{}; }

Result<std::string> EmptyWorkspace::read(const std::string& path) {
  return Error{ErrorCode::not_found, path, "", {}};
}

std::string good_answer(const std::string& archetype, int confidence) {
  return "## Key insight\nThe " + archetype + " sees something of its own about " + archetype +
         ".\n\n## Supporting evidence\n- a fact that the " + archetype +
         " found\n\n## Confidence\n" + std::to_string(confidence) +
         "\n\n## Blind spots\n- what the " + archetype + " overlooks\n";
}

World::World() { restart(); }

World::~World() {
  manager.reset();
  io.restart();
  while (io.poll_one() > 0) {
  }
}

void World::restart() {
  manager.reset();
  io.restart();
  while (io.poll_one() > 0) {
  }
  // What the process had in memory is gone; so are its locks and watches.
  for (auto& [id, session] : store.sessions) {
    session.locked = false;
    session.watcher = nullptr;
  }
  manager = std::make_unique<SessionManager>(io.get_executor(), clock, models, person);
  manager->add_mode(make_swarm());
  manager->add_folder("/ws", store, workspace, settings);
}

SessionRef World::start(const std::string& question) {
  StartRequest request;
  request.question = question;
  const auto started = call(manager->start(std::move(request)));
  if (!started) throw std::runtime_error(started.error().message);
  return settle(started->id);
}

SessionRef World::settle(const std::string& session) {
  const auto settled = call(manager->settled(session));
  if (!settled) throw std::runtime_error(settled.error().message);
  return *settled;
}

Result<SessionRef> World::decide(const std::string& session, const std::string& choice,
                                 std::map<std::string, std::string> values) {
  auto decided = call(manager->decide({session, "", choice, std::move(values)}));
  if (!decided) return decided;
  return settle(session);
}

}  // namespace brainstorm::sim
