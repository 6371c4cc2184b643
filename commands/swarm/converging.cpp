// Stage 3: what they share, what only one of them saw.

#include <nlohmann/json.hpp>

#include "commands/swarm/prompts.h"
#include "commands/swarm/stages.h"
#include "commands/swarm/synthesis.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

Result<std::vector<Perspective>> read_perspectives(const Session& session) {
  std::vector<Perspective> perspectives;
  for (const AgentRecord& agent : session.state.agents) {
    if (!agent.complete()) continue;
    auto file = session.ports.store.read(session.id(), perspective_file(agent.id));
    if (!file) return file.error();
    Perspective perspective = parse_perspective(agent.id, file->body);
    perspective.research_backed = json::bool_or(*file->front, "research_backed", false);
    perspectives.push_back(std::move(perspective));
  }
  return perspectives;
}

Json material(const Synthesis& synthesis) {
  Json insights = Json::array();
  for (const Insight& insight : synthesis.insights) {
    insights.push_back({{"id", insight.id},
                        {"archetype", insight.archetype},
                        {"text", insight.text},
                        {"confidence", insight.confidence},
                        {"evidence", insight.evidence}});
  }
  Json themes = Json::array();
  for (const Theme& theme : synthesis.themes) {
    themes.push_back({{"title", theme.title}, {"insight_ids", theme.insight_ids}});
  }
  return {{"insights", std::move(insights)}, {"themes", std::move(themes)}};
}

const Json& prose_schema() {
  static const Json schema = [] {
    const Json texts = {{"type", "array"}, {"items", {{"type", "string"}}}};
    const Json side = {{"type", "object"},
                       {"properties", {{"insight_ids", texts}, {"position", {{"type", "string"}}}}},
                       {"required", {"insight_ids", "position"}},
                       {"additionalProperties", false}};
    const Json conflict = {
        {"type", "object"},
        {"properties", {{"tension", {{"type", "string"}}}, {"a", side}, {"b", side}}},
        {"required", {"tension", "a", "b"}},
        {"additionalProperties", false}};
    return Json{{"type", "object"},
                {"properties",
                 {{"summary", {{"type", "string"}}},
                  {"conflicts", {{"type", "array"}, {"items", conflict}}},
                  {"open_questions", texts},
                  {"next_steps", texts}}},
                {"required", {"summary", "conflicts", "open_questions", "next_steps"}},
                {"additionalProperties", false}};
  }();
  return schema;
}

/// The prose, or empty slots with the reason as a warning.
Task<void> add_prose(Session& session, Synthesis& synthesis) {
  const Json data = material(synthesis);
  ModelRequest request;
  request.system = fill_template("synthesis_system", {});
  request.prompt = fill_template("synthesis", {{"challenge", session.state.reframed_challenge},
                                               {"material", json::pretty(data)}});
  request.schema = &prose_schema();
  request.task.kind = "synthesis";
  request.task.question = session.state.reframed_challenge;
  request.task.data = &data;
  request.workspace = &session.ports.workspace;
  TextSink ignore = [](std::string_view) {};
  auto call = session.ports.models.complete(session.model_for("synthesis"), std::move(request),
                                            std::move(ignore));
  auto answer = co_await with_timeout(session.ports.clock, session.settings.timeouts.converging,
                                      std::move(call));
  if (!answer) {
    synthesis.partial = true;
    session.warn("The synthesis' prose took too long; the computed parts stand alone.");
    co_return;
  }
  Result<Completion>& completion = *answer;
  if (!completion) {
    session.warn("The synthesis has no prose: " + completion.error().message + ".");
    co_return;
  }
  session.state.usage.tokens_in += completion->usage.tokens_in;
  session.state.usage.tokens_out += completion->usage.tokens_out;
  auto prose = read_prose(completion->text, synthesis.insights, session.state.question);
  if (!prose) {
    session.warn("The synthesis has no prose: the answer could not be read (" +
                 prose.error().message + ").");
    co_return;
  }
  synthesis.prose = *std::move(prose);
  for (const std::string& warning : synthesis.prose.warnings) session.warn(warning);
}

/// Track B ends before it begins: nothing in this build looks for workflows.
Task<Result<void>> note_discovery(Session& session) {
  const Json none = {{"workflow_id", session.id()},
                     {"status", "skipped"},
                     {"reason", "workflow discovery is not part of this build"},
                     {"workflows", Json::array()}};
  session.state.facts("stage_3")["discovery"] = {{"status", "skipped"}, {"workflows_found", 0}};
  const DocumentView view{none, {}, {"workflow_id", "status"}};
  const std::string name = "available-workflows.yaml";
  auto written = co_await session.put(name, view, Durability::lazy);
  co_return written;
}

void record(SessionState& state, const Synthesis& synthesis, Millis grouping) {
  Json& facts = state.facts("stage_3");
  facts["convergent_count"] = synthesis.ranked.convergent.size();
  facts["divergent_count"] = synthesis.ranked.divergent.size();
  facts["grouping_method"] = synthesis.grouping_method;
  facts["grouping_latency_ms"] = grouping.count();
  facts["convergence_level"] = to_string(synthesis.level);
  facts["partial"] = synthesis.partial;
}

}  // namespace

Task<Result<void>> converge(Session& session) {
  session.begin_stage("stage_3");
  CO_TRY(auto perspectives, read_perspectives(session));
  if (perspectives.size() < 2) {
    co_return Error{ErrorCode::quorum_missed,
                    "only " + std::to_string(perspectives.size()) +
                        " perspectives are complete; two are the least that can converge",
                    "Resume the session to run the missing ones again.",
                    {}};
  }
  const Millis before = session.ports.clock.monotonic();
  Synthesis synthesis =
      build_synthesis(std::move(perspectives), session.state, session.settings.collapse);
  const Millis grouping = session.ports.clock.monotonic() - before;
  co_await add_prose(session, synthesis);
  check_gate(synthesis);
  auto discovery = co_await note_discovery(session);
  if (!discovery) co_return discovery.error();

  const Json front = synthesis_front(synthesis, session.state);
  const std::string body = render_synthesis(synthesis, session.state);
  const DocumentView view{front, body, {"workflow_id", "question", "id", "kind"}};
  const std::string name = "stage-3-synthesis.md";
  auto written = co_await session.put(name, view, Durability::synced);
  if (!written) co_return written.error();
  record(session.state, synthesis, grouping);
  session.end_stage("stage_3");
  co_return Ok{};
}

}  // namespace brainstorm
