// What people do with sessions that exist: decide, resume, cancel, archive. A session that another
// process works on or waits with is asked through its inbox.

#include <asio/post.hpp>
#include <nlohmann/json.hpp>

#include "commands/session/manager_impl.h"
#include "commands/session/view.h"

namespace brainstorm {
namespace {

/// How long the process that waits with a session may take to act on its inbox.
constexpr Millis kInboxPatience{2000};
constexpr Millis kInboxPoll{20};

Error other_process(const std::string& session) {
  return {ErrorCode::session_locked,
          "another process works on session " + session,
          "Wait until it is done, or cancel it there.",
          {{"session", session}}};
}

bool was_decided(const SessionState& state, const std::string& decision) {
  const Json* history = json::find(*state.document, "decisions");
  if (history == nullptr || !history->is_array()) return false;
  for (const Json& past : *history) {
    if (decision.empty() || json::text_or(past, "id") == decision) return true;
  }
  return false;
}

Result<Decision> find_decision(const SessionState& state, const Answer& answer) {
  const auto& pending = state.pending_decisions;
  if (answer.decision.empty() && pending.size() == 1) return pending.front();
  if (answer.decision.empty() && pending.size() > 1) {
    return Error{ErrorCode::decision_ambiguous,
                 "several decisions are open",
                 "Name one: " + pending[0].id + ", " + pending[1].id + ", …",
                 {{"session", state.id}, {"field", "decision"}}};
  }
  for (const Decision& decision : pending) {
    if (decision.id == answer.decision) return decision;
  }
  if (!answer.decision.empty() && was_decided(state, answer.decision)) {
    return Error{ErrorCode::already_decided,
                 "decision " + answer.decision + " was answered before",
                 "The session is " + state.current_state + " now.",
                 {{"session", state.id}}};
  }
  return Error{ErrorCode::decision_missing,
               "session " + state.id + " (" + state.current_state + ") has no such open decision",
               "See `brainstorm-ls doctor --session " + state.id + "`.",
               {{"session", state.id}}};
}

Ok check_choice(const Decision& decision, const std::string& choice) {
  std::string known;
  for (const Option& option : decision.options) {
    if (option.id == choice) return {};
    known += (known.empty() ? "" : ", ") + option.id;
  }
  return Error{ErrorCode::choice_unknown,
               "\"" + choice + "\" is no choice of " + decision.id,
               "Choices: " + known + ".",
               {{"field", "choice"}}};
}

void record_decision(Session& session, const Decision& decision, const std::string& choice) {
  std::erase_if(session.state.pending_decisions,
                [&](const Decision& open) { return open.id == decision.id; });
  (*session.state.document)["decisions"].push_back({{"id", decision.id},
                                                    {"kind", decision.kind},
                                                    {"choice", choice},
                                                    {"decided_at", session.timestamp()}});
  session.log("decided", {{"id", decision.id}, {"choice", choice}});
}

Answer answer_from_json(const std::string& session, const Json& body) {
  Answer answer;
  answer.session = session;
  answer.decision = json::text_or(body, "decision");
  answer.choice = json::text_or(body, "choice");
  if (const Json* values = json::find(body, "values"); values != nullptr && values->is_object()) {
    for (const auto& [key, value] : values->items()) {
      if (value.is_string()) answer.values[key] = value.get<std::string>();
    }
  }
  return answer;
}

Json outcome_of(const Result<SessionRef>& result) {
  if (result) return {{"ok", true}, {"state", result->state}};
  return {{"ok", false}, {"error", to_json(result.error())}, {"message", result.error().message}};
}

}  // namespace

Task<Result<SessionRef>> SessionManager::Impl::apply_decision(Place place, Answer answer) {
  if (!busy.insert(place.id).second) {
    co_return Error{ErrorCode::already_decided,
                    "another answer is being applied right now",
                    "Look at the session's state.",
                    {{"session", place.id}}};
  }
  struct Idle {
    std::set<std::string>& busy;
    const std::string& id;
    ~Idle() { busy.erase(id); }
  };
  const Idle idle{busy, place.id};
  CO_TRY(const SessionState seen, load(place));
  CO_TRY(const Decision decision, find_decision(seen, answer));
  CO_TRY_OK(check_choice(decision, answer.choice));
  // A decision is shown the moment it is written; the work that opened it ends a moment later.
  if (running(place.id) != nullptr) {
    auto activation = active[place.id];
    co_await activation->ended().wait();
  }
  CO_TRY(auto session, open(place));
  // Between the look and the lock somebody else may have answered.
  CO_TRY(const Decision still, find_decision(session->state, answer));
  CO_TRY_OK(session->mode.apply(*session, still, answer.choice, answer.values));
  record_decision(*session, still, answer.choice);
  auto saved = co_await session->save(Durability::synced);
  if (!saved) co_return saved.error();
  person.settled(place.id, still.id);
  SessionRef now = reference(session->state);
  activate(std::move(session));
  co_return now;
}

Task<Result<SessionRef>> SessionManager::decide(Answer answer) {
  CO_TRY(const Impl::Place place, impl_->locate(answer.session));
  const bool ours = impl_->watches.contains(place.id) || impl_->running(place.id) != nullptr;
  if (!ours && place.folder->store->watched(place.id)) {
    // Say at once what is plainly wrong; the owner judges the rest.
    CO_TRY(const SessionState seen, impl_->load(place));
    CO_TRY(const Decision decision, find_decision(seen, answer));
    CO_TRY_OK(check_choice(decision, answer.choice));
    Json body = {{"decision", decision.id}, {"choice", answer.choice}, {"values", answer.values}};
    std::string message = decision.id;
    auto asked = co_await impl_->ask_owner(place, message, body);
    if (asked || asked.error().code != ErrorCode::deadline) co_return asked;
  }
  auto applied = co_await impl_->apply_decision(place, answer);
  co_return applied;
}

/// Posts to the inbox and waits for the outcome; `deadline` when nobody acted.
Task<Result<SessionRef>> SessionManager::Impl::ask_owner(Place place, std::string message,
                                                         Json body) {
  Store& store = *place.folder->store;
  CO_TRY_OK(store.post(place.id, message, body));
  const Millis until = clock.monotonic() + kInboxPatience;
  while (clock.monotonic() < until) {
    auto outcome = store.outcome(place.id, message);
    if (outcome && json::bool_or(*outcome, "ok", false)) {
      CO_TRY(const SessionState state, load(place));
      co_return reference(state);
    }
    if (outcome) {
      co_return Error{ErrorCode::wrong_state,
                      json::text_or(*outcome, "message", "it was refused"),
                      "Look at the session's state.",
                      {{"session", place.id}}};
    }
    co_await clock.sleep(kInboxPoll);
  }
  Json taken_back = {{"ok", false}, {"message", "taken back: nobody acted in time"}};
  CO_TRY_OK(store.settle(place.id, message, taken_back));
  co_return Error{ErrorCode::deadline,
                  "the process that holds the session did not act in time",
                  "Try again.",
                  {{"session", place.id}}};
}

void SessionManager::Impl::watch(const Place& place) {
  if (place.folder == nullptr || watches.contains(place.id)) return;
  auto watching = place.folder->store->watch(place.id, [this, place] {
    const auto running_errand = errands.find(place.id);
    if (running_errand != errands.end() && running_errand->second->running()) return;
    errands[place.id] = std::make_unique<Background>(executor, read_inbox(place),
                                                     [](Background::End, const std::string&) {});
  });
  // Without a watch other processes wait out their patience and act themselves.
  if (watching) watches[place.id] = *std::move(watching);
}

Task<void> SessionManager::Impl::read_inbox(Place place) {
  Store& store = *place.folder->store;
  while (true) {
    auto messages = store.inbox(place.id);
    if (messages.empty()) co_return;
    for (auto& [name, body] : messages) {
      Result<SessionRef> result = Error{};
      if (name.starts_with("cancel")) {
        result = co_await cancel_here(place);
      } else {
        Answer answer = answer_from_json(place.id, *body);
        result = co_await apply_decision(place, answer);
      }
      const Json outcome = outcome_of(result);
      auto settled_message = store.settle(place.id, name, outcome);
      if (!settled_message) co_return;  // a full disk must not make this loop spin
    }
  }
}

Task<Result<SessionRef>> SessionManager::Impl::cancel_here(Place place) {
  if (running(place.id) != nullptr) {
    auto activation = active[place.id];
    activation->cancel();
    co_await activation->ended().wait();
    if (activation->error()) co_return *activation->error();
    co_return reference(activation->session().state);
  }
  CO_TRY(auto session, open(place));
  if (is_end_state(session->state.current_state)) {
    co_return Error{ErrorCode::wrong_state,
                    "session " + place.id + " is " + session->state.current_state + " already",
                    "Nothing is left to cancel.",
                    {{"session", place.id}}};
  }
  std::vector<Decision> withdrawn = std::move(session->state.pending_decisions);
  session->state.pending_decisions.clear();
  CO_TRY_OK(session->move(states::kAborted));
  auto saved = co_await session->save(Durability::synced);
  if (!saved) co_return saved.error();
  co_await session->write_board(true);
  session->release_lock();
  session->show();
  for (const Decision& decision : withdrawn) person.settled(place.id, decision.id);
  watches.erase(place.id);
  co_return reference(session->state);
}

Task<Result<SessionRef>> SessionManager::cancel(std::string session) {
  CO_TRY(const Impl::Place place, impl_->locate(session));
  const bool ours = impl_->watches.contains(place.id) || impl_->running(place.id) != nullptr;
  if (!ours && place.folder->store->watched(place.id)) {
    Json body = {{"command", "cancel"}};
    std::string message = "cancel-" + std::to_string(impl_->clock.random() % 1000000);
    auto asked = co_await impl_->ask_owner(place, message, body);
    if (asked || asked.error().code != ErrorCode::deadline) co_return asked;
  }
  auto cancelled = co_await impl_->cancel_here(place);
  co_return cancelled;
}

Task<Result<SessionRef>> SessionManager::Impl::settled(Place place) {
  while (running(place.id) != nullptr) {
    auto activation = active[place.id];
    co_await activation->ended().wait();
  }
  if (const auto failed = failures.find(place.id); failed != failures.end()) {
    co_return failed->second;
  }
  CO_TRY(const SessionState state, load(place));
  co_return reference(state);
}

Task<Result<SessionRef>> SessionManager::settled(std::string session) {
  CO_TRY(const Impl::Place place, impl_->locate(session));
  auto result = co_await impl_->settled(place);
  co_return result;
}

Task<Result<SessionRef>> SessionManager::resume(std::string session) {
  CO_TRY(const Impl::Place place, impl_->locate(session));
  if (impl_->running(place.id) != nullptr) co_return other_process(place.id);
  CO_TRY(auto opened, impl_->open(place));
  if (opened->state.blocking_decision() != nullptr) {
    // Only a person is waited for: ask again, with nothing held.
    SessionRef waiting = reference(opened->state);
    opened->release_lock();
    impl_->watch(place);
    opened->show();
    for (const Decision& open : opened->state.pending_decisions) impl_->person.ask(place.id, open);
    co_return waiting;
  }
  CO_TRY_OK(opened->mode.prepare_resume(*opened));
  opened->log("resumed", {{"state", opened->state.current_state}});
  auto saved = co_await opened->save(Durability::synced);
  if (!saved) co_return saved.error();
  SessionRef now = reference(opened->state);
  impl_->activate(std::move(opened));
  co_return now;
}

Task<Result<SessionRef>> SessionManager::archive(std::string session) {
  CO_TRY(const Impl::Place place, impl_->locate(session));
  CO_TRY(const SessionState state, impl_->load(place));
  if (impl_->running(place.id) != nullptr) {
    co_return Error{ErrorCode::wrong_state,
                    "session " + place.id + " is being worked on",
                    "Cancel it first.",
                    {{"session", place.id}}};
  }
  {
    // Whoever works on it holds the lock; it is given back before the directory moves.
    auto lock = place.folder->store->lock(place.id);
    if (!lock) co_return lock.error();
  }
  CO_TRY_OK(place.folder->store->archive(place.id));
  impl_->watches.erase(place.id);
  for (const Decision& open : state.pending_decisions) impl_->person.settled(place.id, open.id);
  co_return reference(state);
}

}  // namespace brainstorm
