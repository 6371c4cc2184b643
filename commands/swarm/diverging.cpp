// Stage 2: every lens at once, none sees another.

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "commands/session/timestamp.h"
#include "commands/swarm/archetypes.h"
#include "commands/swarm/perspective.h"
#include "commands/swarm/prompts.h"
#include "commands/swarm/stages.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

/// Advice to the agents; half as much again is worth a warning.
constexpr std::int64_t kAnswerTokens = 2000;

/// What the workers of one stage share.
struct Round {
  std::deque<std::string> waiting;  // agents not started yet
  std::string shared_prompt;
  std::map<std::string, std::string> prompts;
  std::optional<Error> storage;  // the stage cannot go on
};

void add_usage(SessionState& state, const Completion& completion) {
  const Usage& used = completion.usage;
  state.usage.tokens_in += used.tokens_in;
  state.usage.tokens_out += used.tokens_out;
  state.usage.cached += used.cached;
  Json& by_model = (*state.document)["usage"]["by_model"][completion.model];
  by_model["input"] = json::integer_or(by_model, "input", 0) + used.tokens_in;
  by_model["output"] = json::integer_or(by_model, "output", 0) + used.tokens_out;
}

/// First attempts end with the stage; a retry has the agent's whole time.
Millis time_left(const Session& session, const AgentRecord& agent) {
  const Millis whole = session.settings.timeouts.agent;
  const Json* facts = session.state.find_facts("stage_2");
  if (facts == nullptr || agent.attempts > 1) return whole;
  const Millis deadline{json::integer_or(*facts, "deadline_machine_ms", 0)};
  return std::max(Millis{0}, std::min(whole, deadline - session.machine_time()));
}

ModelRequest request_for(const Session& session, const Archetype& archetype, const Round& round) {
  ModelRequest request;
  request.system = round.shared_prompt;
  request.prompt = round.prompts.at(archetype.id);
  request.max_output = 2 * kAnswerTokens;
  request.task.kind = "perspective";
  request.task.archetype = archetype.id;
  request.task.question = session.state.reframed_challenge;
  request.task.data = archetype.row.get();
  request.workspace = &session.ports.workspace;
  return request;
}

void fail(Session& session, AgentRecord& agent, std::string_view as, std::string reason) {
  agent.status = as;
  agent.error = std::move(reason);
  session.agent_ended(agent);
  session.show();
}

/// Writes a whole answer; only then does the state call its agent complete.
Task<Result<void>> keep_perspective(Session& session, AgentRecord& agent, Perspective perspective,
                                    Completion completion, Millis elapsed) {
  const bool worksheet = agent.model == "offline";
  const std::string mark = worksheet ? std::string(kWorksheetMark) + "\n\n" : std::string();
  const std::string body = mark + render_perspective(perspective);
  const Json front = {{"archetype", agent.id},
                      {"status", "complete"},
                      {"confidence", perspective.confidence.value_or(1)},
                      {"research_backed", perspective.research_backed},
                      {"worksheet", worksheet},
                      {"model", completion.model},
                      {"tokens", completion.usage.tokens_out},
                      {"elapsed_ms", elapsed.count()},
                      {"warnings", perspective.warnings}};
  const DocumentView view{front, body, {"archetype", "status"}};
  const std::string name = perspective_file(agent.id);
  auto written = co_await session.put(name, view, Durability::synced);
  if (!written) co_return written.error();
  agent.status = status::kComplete;
  agent.output_file = name;
  agent.confidence = perspective.confidence.value_or(1);
  agent.tokens = completion.usage.tokens_out;
  agent.warnings = std::move(perspective.warnings);
  add_usage(session.state, completion);
  session.agent_ended(agent);
  auto saved = co_await session.save(Durability::synced);
  session.show();
  co_return saved;
}

Task<Result<void>> run_agent(Session& session, AgentRecord& agent, const Round& round) {
  const Archetype* archetype = find_archetype(agent.id);
  if (archetype == nullptr || !round.prompts.contains(agent.id)) {
    fail(session, agent, status::kFailed, "there is no archetype of this name in this build");
    co_return Ok{};
  }
  agent.model = session.model_for(agent.id);
  session.agent_started(agent);
  const Millis started = session.ports.clock.monotonic();
  const Millis limit = time_left(session, agent);
  TextSink sink = [&session, id = agent.id](std::string_view piece) { session.heard(id, piece); };
  auto call = session.ports.models.complete(agent.model, request_for(session, *archetype, round),
                                            std::move(sink));
  auto answer = co_await with_timeout(session.ports.clock, limit, std::move(call));
  if (!answer) {
    fail(session, agent, status::kTimeout, "no whole answer within " + minutes_seconds(limit));
    co_return Ok{};
  }
  Result<Completion>& completion = *answer;
  if (!completion) {
    fail(session, agent, status::kFailed, completion.error().message);
    co_return Ok{};
  }
  Perspective perspective = parse_perspective(agent.id, completion->text);
  const auto missing = missing_elements(perspective);
  if (!missing.empty()) {
    fail(session, agent, status::kFailed, "the answer lacks: " + text::join(missing, ", "));
    co_return Ok{};
  }
  if (2 * completion->usage.tokens_out > 3 * kAnswerTokens) {
    perspective.warnings.push_back(agent.id + ": the answer is over 1.5 times the advised length");
  }
  const Millis elapsed = session.ports.clock.monotonic() - started;
  auto kept = co_await keep_perspective(session, agent, std::move(perspective),
                                        *std::move(completion), elapsed);
  co_return kept;
}

Task<bool> work(Session& session, Round& round) {
  while (!round.waiting.empty() && !round.storage) {
    const std::string id = round.waiting.front();
    round.waiting.pop_front();
    AgentRecord& agent = *session.state.agent(id);
    auto ran = co_await run_agent(session, agent, round);
    if (!ran) round.storage = ran.error();
  }
  co_return true;
}

/// A complete agent keeps its answer only while the file is whole; anything else runs again.
void queue_agents(Session& session, Round& round) {
  for (AgentRecord& agent : session.state.agents) {
    if (agent.complete()) {
      auto file = session.ports.store.read(session.id(), perspective_file(agent.id));
      if (file && missing_elements(parse_perspective(agent.id, file->body)).empty()) continue;
      session.warn("The perspective of " + agent.id + " was not whole on disk and is made again.");
      agent.status = status::kPending;
    }
    if (agent.status == status::kInProgress) agent.status = status::kPending;
    if (agent.status == status::kPending) round.waiting.push_back(agent.id);
  }
}

/// Resume uses the prompts as they were stored, not as this version would write them.
Ok read_prompts(const Session& session, Round& round) {
  auto framing = session.ports.store.read(session.id(), "stage-1-framing.yaml");
  if (!framing) return framing.error();
  round.shared_prompt = json::text_or(*framing->front, "shared_prompt");
  if (const Json* prompts = json::find(*framing->front, "archetype_prompts")) {
    for (const auto& [id, prompt] : prompts->items()) {
      if (prompt.is_string()) round.prompts[id] = prompt.get<std::string>();
    }
  }
  return {};
}

}  // namespace

Task<Result<void>> diverge(Session& session) {
  if (session.state.stage("stage_2").status != status::kInProgress) {
    session.begin_stage("stage_2");
    const Millis deadline = session.machine_time() + session.settings.timeouts.stage2;
    Json& facts = session.state.facts("stage_2");
    facts["deadline_machine_ms"] = deadline.count();
    facts["deadline_at"] = iso8601(session.now() + session.settings.timeouts.stage2);
  }
  Round round;
  CO_TRY_OK(read_prompts(session, round));
  queue_agents(session, round);
  std::vector<Task<bool>> workers;
  const auto places = std::max<std::int64_t>(1, session.settings.limits.concurrent);
  for (std::int64_t i = 0; i < places; ++i) workers.push_back(work(session, round));
  auto done = co_await gather(std::move(workers));
  if (round.storage) co_return *round.storage;
  const bool crashed = std::any_of(done.begin(), done.end(), [](const auto& end) { return !end; });
  if (crashed)
    co_return Error{ErrorCode::internal, "an agent stopped by a defect", "Resume the session.", {}};
  co_return Ok{};
}

}  // namespace brainstorm
