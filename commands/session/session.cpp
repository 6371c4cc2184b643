#include "commands/session/session.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/session/board.h"
#include "commands/session/timestamp.h"
#include "commands/session/view.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

/// Clears a flag's owner on every way out of a coroutine, a cancellation included.
class SetOnExit {
 public:
  explicit SetOnExit(Signal& signal) : signal_(signal) {}
  ~SetOnExit() { signal_.set(); }
  SetOnExit(const SetOnExit&) = delete;
  SetOnExit& operator=(const SetOnExit&) = delete;

 private:
  Signal& signal_;
};

constexpr auto kExpiry = std::chrono::hours(24);

}  // namespace

Session::Session(const asio::any_io_executor& executor, SessionPorts session_ports,
                 std::shared_ptr<const Mode> session_mode, Settings session_settings,
                 SessionState session_state, std::unique_ptr<SessionLock> lock)
    : ports(std::move(session_ports)),
      mode(*session_mode),
      settings(std::move(session_settings)),
      state(std::move(session_state)),
      mode_owner_(std::move(session_mode)),
      lock_(std::move(lock)),
      activated_(ports.clock.monotonic()),
      machine_before_(state.machine_ms),
      touched_(executor),
      idle_(executor) {
  idle_.set();
}

Ok Session::move(std::string_view to) {
  TRY_OK(check_transition(mode.transitions(), state.current_state, to));
  Json event = {{"from", state.current_state}, {"to", to}};
  state.current_state = to;
  log("state", std::move(event));
  return {};
}

Ok Session::verify() const {
  auto read = ports.store.read_state(state.id);
  if (!read) return read.error();
  TRY(const SessionState on_disk, session_state_from_json(*read->json));
  if (on_disk.id == state.id && on_disk.revision == state.revision) return {};
  return Error{
      ErrorCode::session_changed,
      "session " + state.id + " was expected at revision " + std::to_string(state.revision) + " (" +
          state.current_state + "), but on disk stands " + on_disk.id + " at revision " +
          std::to_string(on_disk.revision) + " (" + on_disk.current_state + ")",
      "Something else wrote to it. Resume it to go on from what is on disk, or start a fresh one.",
      {{"session", state.id}}};
}

Task<Result<void>> Session::enter(std::string to) {
  CO_TRY_OK(move(to));
  auto saved = co_await save(Durability::synced);
  show();
  co_return saved;
}

Task<Result<void>> Session::save(Durability durability) {
  while (!idle_.is_set()) co_await idle_.wait();
  if (lock_ && !lock_->still_ours()) {
    co_return Error{ErrorCode::session_changed,
                    "the directory of session " + state.id + " was removed or replaced",
                    "Nothing more is written there. Start the question again.",
                    {{"session", state.id}}};
  }
  CO_TRY_OK(verify());
  idle_.reset();
  SetOnExit idle(idle_);
  state.last_updated = timestamp();
  state.expires_at = iso8601(now() + kExpiry);
  state.machine_ms = machine_time().count();
  const std::int64_t revision = state.revision + 1;
  auto document = std::make_unique<Json>(to_json(state));
  (*document)["revision"] = revision;
  const DocumentView view{*document, {}, leading_state_keys()};
  auto write = ports.store.write_state(state.id, view, durability);
  auto written = co_await uncancelled(std::move(write));
  if (written) {
    state.revision = revision;
    // Facts may have changed while the write was under way: only the revision is taken over.
    (*state.document)["revision"] = revision;
  }
  co_return written;
}

Task<Result<void>> Session::put(std::string name, DocumentView document, Durability durability) {
  auto write = ports.store.put(state.id, std::move(name), document, durability);
  auto written = co_await uncancelled(std::move(write));
  co_return written;
}

void Session::open(Decision decision) {
  auto& history = (*state.document)["decisions"];
  std::int64_t number = 1;
  for (const Json& past : history) {
    if (json::text_or(past, "kind") == decision.kind) ++number;
  }
  decision.id = decision.kind + "-" + std::to_string(number);
  decision.created_at = timestamp();
  log("decision", {{"id", decision.id}, {"kind", decision.kind}});
  state.pending_decisions.push_back(std::move(decision));
}

const Decision* Session::pending(std::string_view kind) const {
  for (const Decision& decision : state.pending_decisions) {
    if (decision.kind == kind) return &decision;
  }
  return nullptr;
}

void Session::begin_stage(std::string_view name) {
  StageRecord& stage = state.stage(name);
  stage.status = status::kInProgress;
  if (stage.started_at.empty()) stage.started_at = timestamp();
  stage.completed_at.clear();
  stage.error.clear();
}

void Session::end_stage(std::string_view name) {
  StageRecord& stage = state.stage(name);
  stage.status = status::kComplete;
  stage.completed_at = timestamp();
}

void Session::warn(std::string text) {
  if (std::find(state.warnings.begin(), state.warnings.end(), text) != state.warnings.end()) return;
  log("warning", {{"text", text}});
  state.warnings.push_back(std::move(text));
}

void Session::log(std::string_view kind, Json event) {
  event["time"] = timestamp();
  event["event"] = kind;
  // The log explains, the state decides: a line that cannot be written stops nothing.
  (void)ports.store.append_log(state.id, event);
}

void Session::log(std::string_view kind) { log(kind, Json::object()); }

void Session::heard(const std::string& agent, std::string_view piece) {
  Live& live = live_[agent];
  live.last_activity = machine_time();
  ports.person.delta({state.id, agent, live.offset, std::string(piece)});
  live.offset += static_cast<std::int64_t>(text::code_points(piece));
  live.line += piece;
  const std::size_t end = live.line.find_last_not_of('\n');
  const std::size_t start = end == std::string::npos ? end : live.line.rfind('\n', end);
  if (start != std::string::npos) live.line.erase(0, start + 1);
  const std::string shown = text::one_line(text::printable(live.line));
  if (!shown.empty()) live.headline = text::shorten(shown, 80);
  touch();
}

void Session::agent_started(AgentRecord& agent) {
  agent.status = status::kInProgress;
  agent.started_at = timestamp();
  agent.completed_at.clear();
  agent.error.clear();
  agent.warnings.clear();
  ++agent.attempts;
  live_[agent.id] = Live{ports.clock.monotonic(), machine_time(), 0, {}, {}};
  log("agent_started", {{"agent", agent.id}, {"model", agent.model}});
  touch();
}

void Session::agent_ended(AgentRecord& agent) {
  agent.completed_at = timestamp();
  agent.elapsed_ms = (ports.clock.monotonic() - live_[agent.id].started).count();
  Json event = {{"agent", agent.id}, {"status", agent.status}, {"tokens", agent.tokens}};
  if (!agent.error.empty()) event["error"] = agent.error;
  log("agent_ended", std::move(event));
}

std::string Session::model_for(std::string_view role) const {
  if (const Json* models = json::find(*state.document, "models")) {
    std::string stored = json::text_or(*models, role);
    if (!stored.empty()) return stored;
  }
  return ports.models.choose(role).name;
}

Snapshot Session::snapshot() const {
  Snapshot shown = picture(state, mode, ports.store, ports.folder);
  shown.cancelling = cancelling;
  shown.resumable = false;
  for (AgentView& agent : shown.agents) {
    const auto found = live_.find(agent.id);
    if (found == live_.end()) continue;
    const Live& live = found->second;
    agent.last_activity_ms = live.last_activity.count();
    if (agent.state == status::kInProgress) {
      agent.elapsed_ms = (ports.clock.monotonic() - live.started).count();
    }
    if (agent.headline.empty()) agent.headline = live.headline;
  }
  return shown;
}

void Session::show() { ports.person.progress(snapshot()); }

void Session::touch() { touched_.set(); }

Task<void> Session::write_board(bool always) {
  const Millis at = ports.clock.monotonic();
  if (!always && board_written_.count() >= 0 && at - board_written_ < kBoardInterval) co_return;
  board_written_ = at;
  const Snapshot shown = snapshot();
  const std::string body = render_board(shown);
  const Json none;
  const DocumentView view{none, body, {}};
  const std::string name = "board.md";
  const auto durability = Durability::lazy;
  auto written = co_await put(name, view, durability);
  // A board that cannot be written is a smaller evil than a stopped session; state writes report.
  (void)written;
}

Task<void> Session::keep() {
  while (true) {
    co_await touched_.wait();
    touched_.reset();
    show();
    co_await write_board(false);
    co_await ports.clock.sleep(kViewInterval);
  }
}

Task<void> Session::keep_lock() {
  while (true) {
    co_await ports.clock.sleep(kHeartbeat);
    if (lock_) lock_->heartbeat();
  }
}

Millis Session::machine_time() const {
  return machine_before_ + (ports.clock.monotonic() - activated_);
}

std::string Session::timestamp() const { return iso8601(now()); }

}  // namespace brainstorm
