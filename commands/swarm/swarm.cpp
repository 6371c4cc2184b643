#include "commands/swarm/swarm.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/session/prompt_check.h"
#include "commands/session/session.h"
#include "commands/swarm/archetypes.h"
#include "commands/swarm/framing.h"
#include "commands/swarm/stages.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

using namespace states;

const std::vector<Transition> kTransitions = {
    {kInitialized, kFraming},     {kFraming, kDiverging},      {kDiverging, kConverging},
    {kConverging, kAwaitingUser}, {kAwaitingUser, kCompleted}, {kAwaitingUser, kConverging},
    {kAwaitingUser, kDiverging}};

const std::vector<std::string_view> kStages = {"FRAMING", "DIVERGING", "CONVERGING", "OUTPUT"};

std::string names_of(const SessionState& state, bool complete) {
  std::vector<std::string> names;
  for (const AgentRecord& agent : state.agents) {
    if (agent.complete() != complete) continue;
    names.push_back(complete ? agent.id : agent.id + " (" + agent.error + ")");
  }
  return names.empty() ? "none" : text::join(names, ", ");
}

Decision framing_decision(const SessionState& state) {
  Decision decision;
  decision.kind = "framing";
  decision.prompt = "The challenge, " + state.problem_type + ": " +
                    text::shorten(text::one_line(state.reframed_challenge), 300);
  decision.options = {{"approve", "Approve"}, {"refine", "Refine…"}, {"abort", "Abort"}};
  decision.fields = {{"text", "How should the challenge be worded?", "string", false, "", {}}};
  return decision;
}

Decision quorum_decision(const SessionState& state) {
  const auto complete = state.complete_agents();
  Decision decision;
  decision.kind = "quorum";
  decision.prompt = "Complete: " + names_of(state, true) +
                    ".\nFailed: " + text::shorten(text::one_line(names_of(state, false)), 300) +
                    ".";
  decision.options = {{"retry", "Retry the failed agents"}};
  if (complete >= 2) {
    decision.options.push_back(
        {"proceed", "Proceed with " + std::to_string(complete) + " (less diversity)"});
  }
  decision.options.push_back({"abort", "Abort"});
  return decision;
}

Decision review_decision(const SessionState& state) {
  Decision decision;
  decision.kind = "review";
  const Json* facts = state.find_facts("stage_3");
  const auto count = [&](const char* key) {
    return std::to_string(facts == nullptr ? 0 : json::integer_or(*facts, key, 0));
  };
  decision.prompt = "The synthesis is ready: " + count("convergent_count") + " convergent, " +
                    count("divergent_count") + " divergent insights. Accept it?";
  decision.options = {{"accept", "Accept"}, {"abort", "Abort"}};
  return decision;
}

void retry_failed(SessionState& state) {
  for (AgentRecord& agent : state.agents) {
    if (!agent.complete()) agent.status = status::kPending;
  }
}

Error missed(const SessionState& state) {
  return {ErrorCode::quorum_missed,
          "only " + std::to_string(state.complete_agents()) + " of " +
              std::to_string(state.agents.size()) +
              " perspectives are complete; failed: " + names_of(state, false),
          "Resume the session to run the missing ones again.",
          {}};
}

class Swarm : public Mode {
 public:
  std::string_view name() const override { return "swarm"; }
  std::string_view directory_prefix() const override { return "swarm-session-"; }
  const std::vector<Transition>& transitions() const override { return kTransitions; }
  const std::vector<std::string_view>& stages() const override { return kStages; }

  int stage_of(const SessionState& state) const override {
    const std::string& at = state.current_state;
    if (at == kInitialized || at == kFraming) return 1;
    if (at == kDiverging) return 2;
    if (at == kConverging) return 3;
    if (at == kAwaitingUser || at == kCompleted) return 4;
    // Ended early: the first stage that is not complete.
    for (int stage = 1; stage <= 3; ++stage) {
      const std::string wanted = "stage_" + std::to_string(stage);
      const auto found = std::find_if(state.stages.begin(), state.stages.end(),
                                      [&](const StageRecord& s) { return s.name == wanted; });
      if (found == state.stages.end() || found->status != status::kComplete) return stage;
    }
    return 4;
  }

  std::vector<std::string> roles() const override {
    std::vector<std::string> roles = {"orchestrator", "grouping", "synthesis"};
    for (const Archetype& archetype : archetypes()) roles.push_back(archetype.id);
    return roles;
  }

  void begin(SessionState& state) const override {
    for (const char* stage : {"stage_1", "stage_2", "stage_3", "stage_4"}) state.stage(stage);
    for (const Archetype& archetype : archetypes()) {
      AgentRecord agent;
      agent.id = archetype.id;
      state.agents.push_back(std::move(agent));
    }
  }

  Task<Result<void>> advance(Session& session) const override;
  Ok apply(Session& session, const Decision& decision, const std::string& choice,
           const std::map<std::string, std::string>& values) const override;
  Ok prepare_resume(Session& session) const override;
};

/// Stage 1 and its checkpoint.
Task<Result<void>> run_framing(Session& session) {
  session.begin_stage("stage_1");
  Json& facts = session.state.facts("stage_1");
  std::string note = json::text_or(facts, "refinement");
  auto framed = co_await frame(session, std::move(note));
  if (!framed) co_return framed.error();
  if (session.settings.checkpoints == Checkpoints::all) {
    session.open(framing_decision(session.state));
    co_return Ok{};
  }
  session.end_stage("stage_1");
  const std::string next{kDiverging};
  auto entered = co_await session.enter(next);
  co_return entered;
}

/// What to do when not every agent is complete: true = run the failed ones again.
Result<bool> settle_quorum(Session& session) {
  SessionState& state = session.state;
  const auto complete = state.complete_agents();
  const auto planned = state.agents.size();
  if (complete == planned) return false;
  if (session.attended && session.settings.checkpoints != Checkpoints::none) {
    session.open(quorum_decision(state));
    return false;
  }
  Json& facts = state.facts("stage_2");
  switch (session.settings.on_incomplete) {
    case OnIncomplete::abort:
      return missed(state);
    case OnIncomplete::proceed:
      if (complete >= 2) return false;
      return missed(state);
    case OnIncomplete::retry_then_proceed:
      if (!json::bool_or(facts, "retried", false)) {
        facts["retried"] = true;
        retry_failed(state);
        return true;
      }
      if (complete >= 2 && complete + 1 >= planned) return false;
      return missed(state);
  }
  return missed(state);
}

/// Stage 2, with its quorum.
Task<Result<void>> run_diverging(Session& session) {
  while (true) {
    auto diverged = co_await diverge(session);
    if (!diverged) co_return diverged.error();
    CO_TRY(const bool again, settle_quorum(session));
    if (!again) break;
  }
  if (session.pending("quorum") != nullptr) co_return Ok{};
  session.end_stage("stage_2");
  const std::string next{kConverging};
  auto entered = co_await session.enter(next);
  co_return entered;
}

/// Stage 3, and the way to review.
Task<Result<void>> run_converging(Session& session) {
  auto converged = co_await converge(session);
  if (!converged) co_return converged.error();
  session.begin_stage("stage_4");
  session.open(review_decision(session.state));
  const std::string next{kAwaitingUser};
  auto entered = co_await session.enter(next);
  co_return entered;
}

Task<Result<void>> Swarm::advance(Session& session) const {
  while (session.state.blocking_decision() == nullptr) {
    const std::string at = session.state.current_state;
    Result<void> step;
    if (at == kInitialized) {
      const std::string next{kFraming};
      step = co_await session.enter(next);
    } else if (at == kFraming) {
      step = co_await run_framing(session);
    } else if (at == kDiverging) {
      step = co_await run_diverging(session);
    } else if (at == kConverging) {
      step = co_await run_converging(session);
    } else {
      break;
    }
    if (!step) co_return step.error();
  }
  co_return Ok{};
}

Ok apply_framing(Session& session, const std::string& choice,
                 const std::map<std::string, std::string>& values) {
  if (choice == "abort") return session.move(kAborted);
  if (choice == "approve") {
    TRY_OK(session.move(kDiverging));
    session.end_stage("stage_1");
    return {};
  }
  const auto wording = values.find("text");
  if (wording == values.end() || text::trim(wording->second).empty()) {
    return Error{ErrorCode::invalid_argument,
                 "refine needs a text: how the challenge should be worded",
                 "Give it in `text`.",
                 {{"field", "values.text"}}};
  }
  TRY_OK(check_prohibited(wording->second, "the text", session.settings));
  session.state.facts("stage_1")["refinement"] = std::string(text::trim(wording->second));
  return {};
}

Ok apply_quorum(Session& session, const std::string& choice) {
  if (choice == "proceed") {
    TRY_OK(session.move(kConverging));
    session.end_stage("stage_2");
    return {};
  }
  if (choice == "abort") {
    const bool enough = session.state.complete_agents() + 1 >= session.state.agents.size();
    if (!enough) session.state.error = missed(session.state).message;
    return session.move(enough ? kAborted : kFailed);
  }
  retry_failed(session.state);
  return {};
}

Ok apply_review(Session& session, const std::string& choice) {
  TRY_OK(session.move(choice == "accept" ? kCompleted : kAborted));
  session.state.facts("stage_4")["user_decision"] = choice;
  if (choice == "accept") session.end_stage("stage_4");
  return {};
}

Ok Swarm::apply(Session& session, const Decision& decision, const std::string& choice,
                const std::map<std::string, std::string>& values) const {
  if (decision.kind == "framing") return apply_framing(session, choice, values);
  if (decision.kind == "quorum") return apply_quorum(session, choice);
  if (decision.kind == "review") return apply_review(session, choice);
  return Error{ErrorCode::unsupported,
               "this build cannot apply a decision of kind " + decision.kind,
               "Use the version that opened it.",
               {}};
}

Ok Swarm::prepare_resume(Session& session) const {
  SessionState& state = session.state;
  if (state.current_state == kCompleted || state.current_state == kAwaitingUser) {
    return Error{
        ErrorCode::wrong_state,
        "session " + state.id + " is " + state.current_state + ": nothing is left to resume",
        "Show it, or ask again.",
        {{"session", state.id}}};
  }
  if (is_end_state(state.current_state)) {
    const int stage = stage_of(state);
    state.current_state = stage == 1 ? kFraming : stage == 2 ? kDiverging : kConverging;
    state.error.clear();
  }
  if (state.current_state == kDiverging) {
    retry_failed(state);
    // A new clock for the whole stage: what ran out before would end every agent at once.
    state.stage("stage_2").status = status::kPending;
  }
  return {};
}

}  // namespace

std::unique_ptr<Mode> make_swarm() { return std::make_unique<Swarm>(); }

}  // namespace brainstorm
