#include "commands/session/state.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace brainstorm {
namespace {

std::vector<std::string> texts(const Json& object, std::string_view key) {
  std::vector<std::string> result;
  const Json* list = json::find(object, key);
  if (list == nullptr || !list->is_array()) return result;
  for (const Json& item : *list) {
    if (item.is_string()) result.push_back(item.get<std::string>());
  }
  return result;
}

void set_or_erase(Json& object, const char* key, const std::string& value) {
  if (value.empty()) {
    object.erase(key);
  } else {
    object[key] = value;
  }
}

void write_agent(const AgentRecord& agent, Json& out) {
  out["status"] = agent.status;
  set_or_erase(out, "started_at", agent.started_at);
  set_or_erase(out, "completed_at", agent.completed_at);
  set_or_erase(out, "output_file", agent.output_file);
  set_or_erase(out, "model", agent.model);
  set_or_erase(out, "error", agent.error);
  if (agent.confidence > 0) {
    out["confidence"] = agent.confidence;
  } else {
    out.erase("confidence");
  }
  out["tokens"] = agent.tokens;
  out["elapsed_ms"] = agent.elapsed_ms;
  out["attempts"] = agent.attempts;
  out["validation_warnings"] = agent.warnings;
}

AgentRecord read_agent(const std::string& id, const Json& in) {
  AgentRecord agent;
  agent.id = id;
  agent.status = json::text_or(in, "status", status::kPending);
  agent.started_at = json::text_or(in, "started_at");
  agent.completed_at = json::text_or(in, "completed_at");
  agent.output_file = json::text_or(in, "output_file");
  agent.model = json::text_or(in, "model");
  agent.error = json::text_or(in, "error");
  agent.confidence = json::integer_or(in, "confidence", 0);
  agent.tokens = json::integer_or(in, "tokens", 0);
  agent.elapsed_ms = json::integer_or(in, "elapsed_ms", 0);
  agent.attempts = json::integer_or(in, "attempts", 0);
  agent.warnings = texts(in, "validation_warnings");
  return agent;
}

void write_stages(const SessionState& state, Json& stages) {
  for (const StageRecord& stage : state.stages) {
    Json& out = stages[stage.name];
    if (!out.is_object()) out = Json::object();
    out["status"] = stage.status;
    set_or_erase(out, "started_at", stage.started_at);
    set_or_erase(out, "completed_at", stage.completed_at);
    set_or_erase(out, "error", stage.error);
  }
  if (state.agents.empty()) return;
  // Objects have no order; the list keeps that of the archetypes.
  Json& stage_2 = stages["stage_2"];
  Json& agents = stage_2["agents"];
  Json order = Json::array();
  for (const AgentRecord& agent : state.agents) {
    write_agent(agent, agents[agent.id]);
    order.push_back(agent.id);
  }
  stage_2["order"] = std::move(order);
}

void read_stages(const Json& document, SessionState& state) {
  const Json* stages = json::find(document, "stages");
  if (stages == nullptr || !stages->is_object()) return;
  for (const auto& [name, value] : stages->items()) {
    StageRecord stage;
    stage.name = name;
    stage.status = json::text_or(value, "status", status::kPending);
    stage.started_at = json::text_or(value, "started_at");
    stage.completed_at = json::text_or(value, "completed_at");
    stage.error = json::text_or(value, "error");
    state.stages.push_back(std::move(stage));
  }
  const Json* stage_2 = json::find(*stages, "stage_2");
  const Json* agents = stage_2 == nullptr ? nullptr : json::find(*stage_2, "agents");
  if (agents == nullptr || !agents->is_object()) return;
  std::vector<std::string> order = texts(*stage_2, "order");
  for (const auto& [id, value] : agents->items()) {
    if (std::find(order.begin(), order.end(), id) == order.end()) order.push_back(id);
  }
  for (const std::string& id : order) {
    if (const Json* agent = json::find(*agents, id)) state.agents.push_back(read_agent(id, *agent));
  }
}

Json usage_to_json(const Usage& usage) {
  Json out = {{"input", usage.tokens_in}, {"output", usage.tokens_out}, {"cached", usage.cached}};
  if (usage.cost) out["cost"] = *usage.cost;
  return out;
}

Usage usage_from_json(const Json* in) {
  Usage usage;
  if (in == nullptr) return usage;
  usage.tokens_in = json::integer_or(*in, "input", 0);
  usage.tokens_out = json::integer_or(*in, "output", 0);
  usage.cached = json::integer_or(*in, "cached", 0);
  if (json::find(*in, "cost") != nullptr) usage.cost = json::number_or(*in, "cost", 0);
  return usage;
}

}  // namespace

bool is_end_state(std::string_view state) {
  return state == states::kCompleted || state == states::kFailed || state == states::kAborted;
}

SessionState::SessionState() : document(std::make_unique<Json>(Json::object())) {}
SessionState::SessionState(SessionState&&) noexcept = default;
SessionState& SessionState::operator=(SessionState&&) noexcept = default;
SessionState::~SessionState() = default;

StageRecord& SessionState::stage(std::string_view name) {
  for (StageRecord& stage : stages) {
    if (stage.name == name) return stage;
  }
  StageRecord stage;
  stage.name = name;
  return stages.emplace_back(std::move(stage));
}

AgentRecord* SessionState::agent(std::string_view wanted) {
  for (AgentRecord& agent : agents) {
    if (agent.id == wanted) return &agent;
  }
  return nullptr;
}

const Decision* SessionState::blocking_decision() const {
  for (const Decision& decision : pending_decisions) {
    if (decision.blocking) return &decision;
  }
  return nullptr;
}

std::size_t SessionState::complete_agents() const {
  return static_cast<std::size_t>(
      std::count_if(agents.begin(), agents.end(), [](const auto& a) { return a.complete(); }));
}

Json& SessionState::facts(std::string_view stage_name) {
  Json& facts = (*document)["stages"][std::string(stage_name)];
  if (!facts.is_object()) facts = Json::object();
  return facts;
}

const Json* SessionState::find_facts(std::string_view stage_name) const {
  const Json* stages_object = json::find(*document, "stages");
  return stages_object == nullptr ? nullptr : json::find(*stages_object, stage_name);
}

Json to_json(const SessionState& state) {
  Json out = *state.document;
  out["workflow_id"] = state.id;
  out["mode"] = state.mode;
  out["schema"] = 1;
  out["current_state"] = state.current_state;
  out["revision"] = state.revision;
  out["created_at"] = state.created_at;
  out["last_updated"] = state.last_updated;
  out["expires_at"] = state.expires_at;
  set_or_erase(out, "global_timeout_at", state.global_timeout_at);
  out["original_prompt"] = state.question;
  out["reframed_challenge"] = state.reframed_challenge;
  out["problem_type"] = state.problem_type;
  out["machine_ms"] = state.machine_ms;
  set_or_erase(out, "error", state.error);
  out["warnings"] = state.warnings;
  Json by_model = Json::object();
  if (const Json* usage = json::find(out, "usage")) {
    if (const Json* kept = json::find(*usage, "by_model")) by_model = *kept;
  }
  out["usage"] = usage_to_json(state.usage);
  out["usage"]["by_model"] = std::move(by_model);
  Json& stages = out["stages"];
  if (!stages.is_object()) stages = Json::object();
  write_stages(state, stages);
  Json pending = Json::array();
  for (const Decision& decision : state.pending_decisions) {
    Json entry = to_json(decision);
    entry.erase("createdAt");  // the wire's form; files are written in snake case
    entry["created_at"] = decision.created_at;
    pending.push_back(std::move(entry));
  }
  out["pending_decisions"] = std::move(pending);
  return out;
}

const std::vector<std::string_view>& leading_state_keys() {
  static const std::vector<std::string_view> keys = {
      "workflow_id",  "mode",       "schema",          "current_state",     "created_at",
      "last_updated", "expires_at", "original_prompt", "pending_decisions", "revision",
      "id",           "kind",       "status"};
  return keys;
}

Result<SessionState> session_state_from_json(const Json& document) {
  SessionState state;
  *state.document = document;
  state.id = json::text_or(document, "workflow_id");
  state.mode = json::text_or(document, "mode");
  state.current_state = json::text_or(document, "current_state");
  state.question = json::text_or(document, "original_prompt");
  if (state.id.empty() || state.mode.empty() || state.current_state.empty()) {
    return Error{ErrorCode::session_broken,
                 "the state file lacks workflow_id, mode or current_state",
                 "Restore workflow-state.yaml from its .bak or archive the session.",
                 {}};
  }
  state.revision = json::integer_or(document, "revision", 0);
  state.created_at = json::text_or(document, "created_at");
  state.last_updated = json::text_or(document, "last_updated");
  state.expires_at = json::text_or(document, "expires_at");
  state.global_timeout_at = json::text_or(document, "global_timeout_at");
  state.reframed_challenge = json::text_or(document, "reframed_challenge");
  state.problem_type = json::text_or(document, "problem_type");
  state.machine_ms = json::integer_or(document, "machine_ms", 0);
  state.error = json::text_or(document, "error");
  state.warnings = texts(document, "warnings");
  state.usage = usage_from_json(json::find(document, "usage"));
  read_stages(document, state);
  if (const Json* pending = json::find(document, "pending_decisions")) {
    for (const Json& item : *pending) {
      auto decision = decision_from_json(item);
      if (decision) state.pending_decisions.push_back(*std::move(decision));
    }
  }
  return state;
}

Ok check_transition(const std::vector<Transition>& table, std::string_view from,
                    std::string_view to) {
  const bool listed = std::any_of(table.begin(), table.end(), [&](const Transition& move) {
    return move.from == from && move.to == to;
  });
  const bool stop = (to == states::kAborted || to == states::kFailed) && !is_end_state(from);
  if (listed || stop) return {};
  return Error{ErrorCode::wrong_state,
               "a session cannot go from " + std::string(from) + " to " + std::string(to),
               "Look at the session's state with `brainstorm-ls sessions`.",
               {{"from", std::string(from)}, {"to", std::string(to)}}};
}

}  // namespace brainstorm
