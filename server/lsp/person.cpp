#include "server/lsp/person.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "commands/task.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

bool is_refused(const Response& response) {
  return response.error && response.error->code == rpc::kMethodNotFound;
}

Json progress_value(const WorkDone::Step& step) {
  using Kind = WorkDone::Step::Kind;
  if (step.kind == Kind::begin) {
    return Json::object({{"kind", "begin"},
                         {"title", step.title},
                         {"cancellable", true},
                         {"message", step.message},
                         {"percentage", step.percentage}});
  }
  if (step.kind == Kind::report) {
    return Json::object(
        {{"kind", "report"}, {"message", step.message}, {"percentage", step.percentage}});
  }
  return Json::object({{"kind", "end"}, {"message", step.message}});
}

/// What stands at the end of a progress.
std::string outcome(const Snapshot& snapshot) {
  if (snapshot.state == "COMPLETED") return "done";
  if (snapshot.state == "FAILED") return "failed: " + text::one_line(snapshot.error);
  if (snapshot.state == "ABORTED") return "aborted";
  return "waiting for your decision";
}

}  // namespace

EditorPerson::EditorPerson(const asio::any_io_executor& executor, Clock& clock, Client& client,
                           Prompts::Decide decide)
    : executor_(executor), clock_(clock), client_(client), prompts_(client, std::move(decide)) {}

EditorPerson::~EditorPerson() = default;

void EditorPerson::ask(const std::string& session, const Decision& decision) {
  prompts_.ask(session, decision);
}

void EditorPerson::settled(const std::string& session, const std::string& decision) {
  prompts_.settled(session, decision);
}

void EditorPerson::progress(const Snapshot& snapshot) {
  const bool working = is_working(snapshot);
  if (!working) {
    for (const Delta& rest : pacer_.finish(snapshot.id)) send(rest);
  }
  if (client_.features.session) {
    client_.notify("brainstorm/session", to_json(snapshot), Keep::latest, "session " + snapshot.id);
  }
  show_progress(snapshot);
  const bool was_busy = !working_.empty();
  if (working) {
    working_.insert(snapshot.id);
  } else {
    working_.erase(snapshot.id);
  }
  if (was_busy == working_.empty()) tell_status(problem_);
}

void EditorPerson::delta(const Delta& delta) {
  if (!client_.features.delta) return;
  if (const auto now = pacer_.add(delta, clock_.monotonic())) send(*now);
  keep_time();
}

void EditorPerson::notify(Level level, const std::string& message) {
  if (level == Level::info) return client_.log(lsp::MessageType::info, message);
  client_.show(level == Level::error ? lsp::MessageType::error : lsp::MessageType::warning,
               message);
}

void EditorPerson::lend_token(const std::string& session, const std::string& token) {
  lent_[session] = token;
  const auto found = shown_.find(session);
  if (found == shown_.end()) return;
  Shown& shown = found->second;
  const auto steps = shown.work.adopt();
  if (!steps) return;
  if (shown.create != 0) client_.forget(shown.create);
  shown.token = token;
  shown.lent = true;
  carry_out(session, *steps);
}

void EditorPerson::end_progress(const std::string& session) {
  end_stage(session, "");
  lent_.erase(session);
}

std::optional<std::string> EditorPerson::session_of(const std::string& token) const {
  for (const auto& [session, shown] : shown_) {
    if (shown.token == token) return session;
  }
  return std::nullopt;
}

void EditorPerson::tell_status(const std::string& problem) {
  problem_ = problem;
  if (!client_.features.server_status) return;
  client_.notify("experimental/serverStatus",
                 Json::object({{"health", problem.empty() ? "ok" : "warning"},
                               {"quiescent", working_.empty()},
                               {"message", problem}}),
                 Keep::latest, "status");
}

void EditorPerson::show_progress(const Snapshot& snapshot) {
  if (!is_working(snapshot)) return end_stage(snapshot.id, outcome(snapshot));
  ProgressView view = progress_view(snapshot);
  auto found = shown_.find(snapshot.id);
  if (found != shown_.end() && !found->second.lent && found->second.work.title() != view.title) {
    end_stage(snapshot.id, "done");
    found = shown_.end();
  }
  Shown& shown = found == shown_.end() ? begin_stage(snapshot.id) : found->second;
  carry_out(snapshot.id, shown.work.update(std::move(view), clock_.monotonic()));
  keep_time();
}

EditorPerson::Shown& EditorPerson::begin_stage(const std::string& session) {
  const auto lent = lent_.find(session);
  const bool is_lent = lent != lent_.end();
  Shown shown{WorkDone(client_.features.work_done_progress || is_lent), "", is_lent, 0};
  if (is_lent) {
    shown.token = lent->second;
    (void)shown.work.adopt();
  } else {
    shown.token = "\"brainstorm-" + std::to_string(++tokens_) + "\"";
  }
  return shown_.insert_or_assign(session, std::move(shown)).first->second;
}

void EditorPerson::end_stage(const std::string& session, const std::string& message) {
  const auto found = shown_.find(session);
  if (found == shown_.end()) return;
  carry_out(session, found->second.work.end(message));
  shown_.erase(session);
}

void EditorPerson::carry_out(const std::string& session, const WorkDone::Steps& steps) {
  for (const WorkDone::Step& step : steps) {
    const auto found = shown_.find(session);
    if (found == shown_.end()) return;
    Shown& shown = found->second;
    if (step.kind == WorkDone::Step::Kind::create) {
      create_token(session, shown);
    } else if (step.kind == WorkDone::Step::Kind::log) {
      client_.log(lsp::MessageType::info, step.message);
    } else {
      Json token = json::parse(shown.token).value_or(Json());
      const bool report = step.kind == WorkDone::Step::Kind::report;
      client_.notify("$/progress",
                     Json::object({{"token", std::move(token)}, {"value", progress_value(step)}}),
                     report ? Keep::latest : Keep::always, "progress " + shown.token);
    }
  }
}

void EditorPerson::create_token(const std::string& session, Shown& shown) {
  const std::string token = shown.token;
  shown.create = client_.request("window/workDoneProgress/create",
                                 Json::object({{"token", json::parse(token).value_or(Json())}}),
                                 [this, session, token](const Response& response) {
                                   token_answered(session, token, response);
                                 });
}

void EditorPerson::token_answered(const std::string& session, const std::string& token,
                                  const Response& response) {
  if (is_refused(response)) client_.features.work_done_progress = false;
  const auto found = shown_.find(session);
  // The stage may be over: a token that was never begun needs no end.
  if (found == shown_.end() || found->second.token != token) return;
  carry_out(session, found->second.work.created(!response.error));
}

void EditorPerson::send(const Delta& delta) {
  client_.notify("brainstorm/delta", to_json(delta), Keep::loosely);
}

std::optional<Millis> EditorPerson::next_due() const {
  std::optional<Millis> first = pacer_.due();
  for (const auto& [session, shown] : shown_) {
    const auto due = shown.work.due();
    if (due) first = first ? std::min(*first, *due) : due;
  }
  return first;
}

void EditorPerson::keep_time() {
  if (timing_ || !next_due()) return;
  timing_ = true;
  timer_ = std::make_unique<Background>(executor_, time_passes(), nullptr);
}

Task<void> EditorPerson::time_passes() {
  while (const auto due = next_due()) {
    Millis now = clock_.monotonic();
    if (*due > now) {
      const Millis wait = *due - now;
      co_await clock_.sleep(wait);
    }
    now = clock_.monotonic();
    for (const Delta& delta : pacer_.take(now)) send(delta);
    for (auto& [session, shown] : shown_) carry_out(session, shown.work.tick(now));
  }
  timing_ = false;
}

}  // namespace brainstorm
