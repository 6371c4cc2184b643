// The straight path of the swarm, and what can go wrong on it, in virtual time.

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/sim/world.h"

using namespace brainstorm;
using namespace brainstorm::sim;

namespace {

const std::vector<std::string> kAgents = {"optimist", "critic", "analyst", "innovator",
                                          "pragmatist"};

const Json& state_of(World& world, const std::string& session) {
  return world.store.sessions.at(session).files.at("workflow-state.yaml").front;
}

Script failing() { return {Millis{1000}, "", Error{ErrorCode::model_failed, "it broke", "", {}}}; }
Script silent() { return {std::chrono::hours(100), "", {}}; }

}  // namespace

TEST_CASE("the straight path: a question becomes a synthesis that is accepted") {
  World world;
  const SessionRef review = world.start();
  REQUIRE(review.state == "AWAITING_USER");
  REQUIRE(review.pending_decisions.size() == 1);
  CHECK(review.pending_decisions[0].kind == "review");
  for (const std::string& agent : kAgents) {
    CHECK(world.store.has(review.id, "perspectives/" + agent + ".md"));
  }
  for (const char* file : {"workflow-state.yaml", "stage-1-framing.yaml", "context.md", "board.md",
                           "stage-3-synthesis.md", "available-workflows.yaml"}) {
    CAPTURE(file);
    CHECK(world.store.has(review.id, file));
  }
  CHECK(world.models.most_running == 5);
  const auto accepted = world.decide(review.id, "accept");
  REQUIRE(accepted);
  CHECK(accepted->state == "COMPLETED");
  CHECK_FALSE(world.store.sessions.at(review.id).locked);
  // Machine time: the agents' second of work, not the time of anybody's thinking.
  CHECK(json::integer_or(state_of(world, review.id), "machine_ms", 0) < 3000);
}

TEST_CASE("while only a person is waited for, no lock is held and no time is counted") {
  World world;
  const SessionRef review = world.start();
  CHECK_FALSE(world.store.sessions.at(review.id).locked);
  const auto before = json::integer_or(state_of(world, review.id), "machine_ms", 0);
  world.call([](Clock& clock) -> Task<bool> {
    const Millis day = std::chrono::hours(24);
    co_await clock.sleep(day);
    co_return true;
  }(world.clock));
  REQUIRE(world.decide(review.id, "accept"));
  CHECK(json::integer_or(state_of(world, review.id), "machine_ms", 0) - before < 1000);
}

TEST_CASE("a perspective is on disk before its agent is complete") {
  World world;
  const SessionRef review = world.start();
  for (const Snapshot& picture : world.person.pictures) {
    for (const AgentView& agent : picture.agents) {
      if (agent.state != "complete") continue;
      const std::string name = "perspectives/" + agent.id + ".md";
      CHECK(std::any_of(picture.files.begin(), picture.files.end(),
                        [&](const FileView& file) { return file.name == name; }));
    }
  }
}

TEST_CASE("blindness: no answer reaches a sibling's request") {
  World world;
  for (const std::string& agent : kAgents) {
    world.models.scripts[agent] = {
        {Millis{agent == "optimist" ? 10 : 2000}, good_answer(agent) + "\nMARKER-" + agent, {}}};
  }
  world.settings.limits.concurrent = 1;
  world.start();
  for (const std::string& prompt : world.models.prompts) {
    const bool of_agents = prompt.find("one voice of a panel") != std::string::npos;
    if (of_agents) CHECK(prompt.find("MARKER-") == std::string::npos);
  }
  CHECK(world.models.most_running == 1);
}

TEST_CASE("the framing checkpoint: approve, refine, abort") {
  World world;
  world.settings.checkpoints = Checkpoints::all;
  SUBCASE("approve") {
    const SessionRef framing = world.start();
    REQUIRE(framing.state == "FRAMING");
    REQUIRE(framing.pending_decisions.at(0).kind == "framing");
    CHECK(world.models.calls["critic"] == 0);
    const auto review = world.decide(framing.id, "approve");
    REQUIRE(review);
    CHECK(review->state == "AWAITING_USER");
  }
  SUBCASE("refine words it anew and asks again") {
    const SessionRef framing = world.start();
    const auto again =
        world.decide(framing.id, "refine", {{"text", "Which parser generator fits us?"}});
    REQUIRE(again);
    CHECK(again->state == "FRAMING");
    CHECK(again->pending_decisions.at(0).id == "framing-2");
    CHECK(json::text_or(state_of(world, framing.id), "reframed_challenge") ==
          "Which parser generator fits us?");
  }
  SUBCASE("refine without a text changes nothing") {
    const SessionRef framing = world.start();
    const auto refused = world.decide(framing.id, "refine");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::invalid_argument);
    CHECK(world.settle(framing.id).pending_decisions.size() == 1);
  }
  SUBCASE("abort") {
    const SessionRef framing = world.start();
    const auto aborted = world.decide(framing.id, "abort");
    REQUIRE(aborted);
    CHECK(aborted->state == "ABORTED");
  }
}

TEST_CASE("the first answer wins") {
  World world;
  const SessionRef review = world.start();
  REQUIRE(world.decide(review.id, "accept"));
  const auto late = world.call(world.manager->decide({review.id, "review-1", "abort", {}}));
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ErrorCode::already_decided);
  CHECK(world.settle(review.id).state == "COMPLETED");
}

TEST_CASE("wrong answers are refused with what would be right") {
  World world;
  const SessionRef review = world.start();
  struct Case {
    Answer answer;
    ErrorCode code;
  };
  const std::vector<Case> cases = {
      {{review.id, "", "maybe", {}}, ErrorCode::choice_unknown},
      {{review.id, "quorum-7", "retry", {}}, ErrorCode::decision_missing},
      {{"swarm-session-19990101", "", "accept", {}}, ErrorCode::session_not_found},
  };
  for (const Case& wrong : cases) {
    CAPTURE(to_string(wrong.code));
    const auto refused = world.call(world.manager->decide(wrong.answer));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == wrong.code);
    CHECK_FALSE(refused.error().hint.empty());
  }
  CHECK(world.settle(review.id).pending_decisions.size() == 1);
}

TEST_CASE("quorum: what happens with N perspectives") {
  struct Case {
    std::vector<std::string> failing;
    std::vector<std::string> options;
    std::string choice;
    std::string state;
  };
  const std::vector<Case> cases = {
      {{"critic"}, {"retry", "proceed", "abort"}, "proceed", "AWAITING_USER"},
      {{"critic"}, {"retry", "proceed", "abort"}, "abort", "ABORTED"},
      {{"critic", "analyst"}, {"retry", "proceed", "abort"}, "proceed", "AWAITING_USER"},
      {{"critic", "analyst"}, {"retry", "proceed", "abort"}, "abort", "FAILED"},
      {{"critic", "analyst", "innovator"},
       {"retry", "proceed", "abort"},
       "proceed",
       "AWAITING_USER"},
      {{"critic", "analyst", "innovator", "optimist"}, {"retry", "abort"}, "abort", "FAILED"},
      {kAgents, {"retry", "abort"}, "abort", "FAILED"},
  };
  for (const Case& row : cases) {
    CAPTURE(row.failing.size());
    CAPTURE(row.choice);
    World world;
    for (const std::string& agent : row.failing) world.models.scripts[agent] = {failing()};
    const SessionRef asked = world.start();
    REQUIRE(asked.state == "DIVERGING");
    REQUIRE(asked.pending_decisions.size() == 1);
    std::vector<std::string> options;
    for (const Option& option : asked.pending_decisions[0].options) options.push_back(option.id);
    CHECK(options == row.options);
    CHECK(asked.pending_decisions[0].prompt.find("it broke") != std::string::npos);
    const auto after = world.decide(asked.id, row.choice);
    REQUIRE(after);
    CHECK(after->state == row.state);
  }
}

TEST_CASE("retry runs only those that failed") {
  World world;
  world.models.scripts["critic"] = {failing(), {Millis{10}, good_answer("critic"), {}}};
  const SessionRef asked = world.start();
  const auto after = world.decide(asked.id, "retry");
  REQUIRE(after);
  CHECK(after->state == "AWAITING_USER");
  CHECK(world.models.calls["critic"] == 2);
  CHECK(world.models.calls["optimist"] == 1);
}

TEST_CASE("with nobody to ask the settings decide") {
  struct Case {
    OnIncomplete policy;
    int failures;
    std::string state;
    int critic_calls;
  };
  const std::vector<Case> cases = {
      {OnIncomplete::retry_then_proceed, 1, "AWAITING_USER", 2},
      {OnIncomplete::retry_then_proceed, 2, "FAILED", 2},
      {OnIncomplete::proceed, 3, "AWAITING_USER", 1},
      {OnIncomplete::proceed, 4, "FAILED", 1},
      {OnIncomplete::abort, 1, "FAILED", 1},
  };
  for (const Case& row : cases) {
    CAPTURE(row.failures);
    World world;
    world.settings.on_incomplete = row.policy;
    world.manager->set_attended(false);
    const std::vector<std::string> order = {"critic", "analyst", "innovator", "optimist"};
    for (int i = 0; i < row.failures; ++i)
      world.models.scripts[order[static_cast<std::size_t>(i)]] = {failing()};
    const SessionRef ended = world.start();
    CHECK(ended.state == row.state);
    CHECK(world.models.calls["critic"] == row.critic_calls);
  }
}

TEST_CASE("deadlines: a silent agent times out alone") {
  World world;
  world.models.scripts["innovator"] = {silent()};
  const SessionRef asked = world.start();
  REQUIRE(asked.pending_decisions.size() == 1);
  CHECK(world.clock.monotonic() >= std::chrono::minutes(10));
  CHECK(world.clock.monotonic() < std::chrono::minutes(11));
  const Json& agents = state_of(world, asked.id)["stages"]["stage_2"]["agents"];
  CHECK(agents["innovator"]["status"] == "timeout");
  CHECK(agents["critic"]["status"] == "complete");
}

TEST_CASE("the stage's clock ends what started late") {
  World world;
  world.settings.limits.concurrent = 1;
  for (const std::string& agent : kAgents) world.models.scripts[agent] = {silent()};
  world.start();
  CHECK(world.clock.monotonic() >= std::chrono::minutes(15));
  CHECK(world.clock.monotonic() < std::chrono::minutes(16));
}

TEST_CASE("an answer that lacks something fails its agent and says what") {
  World world;
  world.models.scripts["analyst"] = {{Millis{10}, "## Key insight\nOnly this.\n", {}}};
  const SessionRef asked = world.start();
  const Json& analyst = state_of(world, asked.id)["stages"]["stage_2"]["agents"]["analyst"];
  CHECK(json::text_or(analyst, "error") ==
        "the answer lacks: supporting evidence, confidence, blind spots");
}

TEST_CASE("cancel: finished perspectives stay, the rest is unwound") {
  World world;
  for (const char* agent : {"critic", "analyst"}) world.models.scripts[agent] = {silent()};
  StartRequest request;
  request.question = "Should we replace the hand-written parser?";
  const auto started = world.call(world.manager->start(request));
  REQUIRE(started);
  world.clock.run([&] { return world.store.has(started->id, "perspectives/optimist.md"); });
  const auto cancelled = world.call(world.manager->cancel(started->id));
  REQUIRE(cancelled);
  CHECK(cancelled->state == "ABORTED");
  CHECK(world.models.running == 0);
  CHECK(world.store.has(started->id, "perspectives/optimist.md"));
  CHECK_FALSE(world.store.sessions.at(started->id).locked);
  CHECK(std::any_of(world.person.pictures.begin(), world.person.pictures.end(),
                    [](const Snapshot& picture) { return picture.cancelling; }));
  SUBCASE("and resume runs only what is missing") {
    for (const char* agent : {"critic", "analyst"})
      world.models.scripts[agent] = {{Millis{10}, good_answer(agent), {}}};
    REQUIRE(world.call(world.manager->resume(started->id)));
    CHECK(world.settle(started->id).state == "AWAITING_USER");
    CHECK(world.models.calls["optimist"] == 1);
  }
}

TEST_CASE("a crash at any moment, then resume: done work is kept, nothing is done twice") {
  // The run has a fixed number of loop turns; the crash comes after each of many of them.
  std::string whole;
  for (int turns = 1; turns < 400; turns += 7) {
    CAPTURE(turns);
    World world;
    for (std::size_t i = 0; i < kAgents.size(); ++i) {
      world.models.scripts[kAgents[i]] = {
          {Millis{100 * (static_cast<int>(i) + 1)}, good_answer(kAgents[i]), {}}};
    }
    StartRequest request;
    request.question = "Should we replace the hand-written parser?";
    const auto started = world.call(world.manager->start(request));
    REQUIRE(started);
    int left = turns;
    world.clock.run([&] { return --left <= 0; });
    std::map<std::string, std::string> done;
    const Json before = state_of(world, started->id);
    for (const std::string& agent : kAgents) {
      const Json* record = json::find(before["stages"]["stage_2"]["agents"], agent);
      if (record != nullptr && json::text_or(*record, "status") == "complete") {
        done[agent] =
            world.store.sessions.at(started->id).files.at("perspectives/" + agent + ".md").body;
      }
    }
    world.restart();
    world.models.calls.clear();
    if (before["current_state"] != "AWAITING_USER") {
      REQUIRE(world.call(world.manager->resume(started->id)));
    }
    const SessionRef review = world.settle(started->id);
    REQUIRE(review.state == "AWAITING_USER");
    for (const auto& [agent, body] : done) {
      CHECK(world.models.calls[agent] == 0);
      CHECK(world.store.sessions.at(started->id).files.at("perspectives/" + agent + ".md").body ==
            body);
    }
  }
}

TEST_CASE("a store that fails stops the session and leaves it as it is") {
  World world;
  StartRequest request;
  request.question = "Should we replace the hand-written parser?";
  const auto started = world.call(world.manager->start(request));
  REQUIRE(started);
  world.clock.run([&] { return world.store.has(started->id, "stage-1-framing.yaml"); });
  world.store.broken = Error{ErrorCode::disk_full, "no space is left", "Free some space.", {}};
  const auto settled = world.call(world.manager->settled(started->id));
  REQUIRE_FALSE(settled);
  CHECK(settled.error().code == ErrorCode::disk_full);
  REQUIRE_FALSE(world.person.notices.empty());
  CHECK(world.person.notices.back().find("no space is left") != std::string::npos);
  world.store.broken.reset();
  REQUIRE(world.call(world.manager->resume(started->id)));
  CHECK(world.settle(started->id).state == "AWAITING_USER");
}

TEST_CASE("a state changed by somebody else stops the session, naming both") {
  World world;
  StartRequest request;
  request.question = "Should we replace the hand-written parser?";
  const auto started = world.call(world.manager->start(request));
  REQUIRE(started);
  world.clock.run([&] { return world.models.running == 5; });
  world.store.sessions.at(started->id).files["workflow-state.yaml"].front["revision"] = 99;
  const auto settled = world.call(world.manager->settled(started->id));
  REQUIRE_FALSE(settled);
  CHECK(settled.error().code == ErrorCode::session_changed);
  CHECK(settled.error().message.find("revision 99") != std::string::npos);
  CHECK(state_of(world, started->id)["revision"] == 99);
}

TEST_CASE("questions that cannot be asked create nothing") {
  struct Case {
    std::string question;
    ErrorCode code;
  };
  const std::vector<Case> cases = {
      {"Why go on", ErrorCode::prompt_too_short},
      {std::string(1001, 'x'), ErrorCode::prompt_too_long},
      {"replacement strategies", ErrorCode::prompt_too_few_words},
      {"Should we rotate sk-abcdefghijklmnopqrstuvwxyz123456 now?", ErrorCode::prompt_prohibited},
      {"Is password = hunter2hunter2 a good idea?", ErrorCode::prompt_prohibited},
      {"Is -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- safe?",
       ErrorCode::prompt_prohibited},
  };
  for (const Case& row : cases) {
    CAPTURE(row.question);
    World world;
    StartRequest request;
    request.question =
        row.code == ErrorCode::prompt_too_short ? row.question.substr(0, 9) : row.question;
    const auto refused = world.call(world.manager->start(request));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == row.code);
    CHECK(world.store.sessions.empty());
    CHECK(refused.error().message.find("hunter2") == std::string::npos);
    CHECK(refused.error().message.find("abcdefghij") == std::string::npos);
  }
}

TEST_CASE(
    "lengths are code points: ten emoji words are enough, a thousand letters with accents too") {
  World world;
  StartRequest request;
  std::string question = "Soll ich ";
  while (question.size() < 1900) question += "ä";
  request.question = question;  // 9 + 945 or so code points, nearly 2000 bytes
  CHECK(world.call(world.manager->start(request)));
}

TEST_CASE("models named for a session are used; unknown ones are refused") {
  World world;
  StartRequest request;
  request.question = "Should we replace the hand-written parser?";
  request.models = {{"critic", "nobody"}};
  const auto refused = world.call(world.manager->start(request));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::model_unknown);
  request.models = {{"janitor", "scripted"}};
  CHECK(world.call(world.manager->start(request)).error().code == ErrorCode::invalid_argument);
}

TEST_CASE("sessions are found by id, prefix, alias, random part and last") {
  World world;
  const SessionRef review = world.start();
  const std::string random_part = review.id.substr(review.id.size() - 8);
  for (const std::string& name :
       {review.id, review.id.substr(0, 20), "swarm-" + review.id.substr(14), random_part,
        std::string("last")}) {
    CAPTURE(name);
    const auto found = world.manager->find(name);
    REQUIRE(found);
    CHECK(*found == review.id);
  }
  world.start();
  CHECK(world.manager->find("swarm-session-").error().code == ErrorCode::session_ambiguous);
}

TEST_CASE("archive moves a session away, and only when nothing works on it") {
  World world;
  const SessionRef review = world.start();
  REQUIRE(world.call(world.manager->archive(review.id)));
  CHECK(world.store.archived.contains(review.id));
  CHECK(world.manager->find(review.id).error().code == ErrorCode::session_not_found);
}

TEST_CASE("another process answers through the inbox") {
  World world;
  const SessionRef review = world.start();
  SessionManager other(world.io.get_executor(), world.clock, world.models, world.person);
  other.add_folder("/ws", world.store, world.workspace, world.settings);
  const auto answered = world.call(other.decide({review.id, "", "accept", {}}));
  REQUIRE(answered);
  CHECK(world.settle(review.id).state == "COMPLETED");
  CHECK(world.store.sessions.at(review.id).inbox.contains("review-1"));
}
