#include "server/models/registry.h"

#include <doctest/doctest.h>

#include "protocol/text.h"
#include "tests/server/models/support.h"

using namespace brainstorm;

namespace {

LoadedSettings settings(std::map<std::string, RoleModel> roles) {
  LoadedSettings loaded;
  ModelEntry main;
  main.name = "main";
  main.type = "openai";
  main.model = "qwen3";
  ModelEntry quick;
  quick.name = "quick";
  quick.type = "anthropic";
  ModelEntry sheet;
  sheet.name = "sheet";
  sheet.type = "offline";
  loaded.models = {main, quick, sheet};
  loaded.engine.roles = std::move(roles);
  return loaded;
}

}  // namespace

TEST_CASE("registry: with nothing configured it is offline, and why") {
  test::StillClock clock;
  ModelRegistry registry(clock);
  CHECK(registry.choose("critic").name == "offline");
  CHECK(registry.choose("critic").reason == "no model is configured");
  registry.configure({}, {{"PATH", "/bin"}, {"OPENAI_API_KEY", ""}});
  CHECK(registry.choose("perspective").reason == "no model is configured");
  registry.configure({}, {{"OPENAI_API_KEY", "hush-hush"}, {"ANTHROPIC_API_KEY", "hush-hush"}});
  CHECK(registry.choose("perspective").name == "offline");
  CHECK(registry.choose("perspective").reason ==
        "ANTHROPIC_API_KEY is set, but this build can only use offline");
  registry.configure(settings({}), {});
  CHECK(registry.choose("perspective").reason ==
        "models are configured, but roles.default names none");
  const auto models = registry.models();
  REQUIRE(models.size() == 4);
  CHECK(models[0].name == "main");
  CHECK_FALSE(models[0].reachable);
  CHECK(models[0].reason == "type openai is not part of this build");
  CHECK(models[3].name == "offline");
  CHECK(models[3].reachable);
  CHECK(text::join(models[3].roles, " ") == "orchestrator perspective grouping synthesis arbiter");
}

TEST_CASE("registry: a role's own model, its family's, the default's") {
  test::StillClock clock;
  ModelRegistry registry(clock);
  registry.configure(settings({{"default", {"sheet", {}}},
                               {"perspective", {"offline", {}}},
                               {"critic", {"main", {}}},
                               {"analyst", {"quick", {"main", "sheet"}}},
                               {"arbiter", {"nobody", {}}}}),
                     {});
  struct {
    const char* role;
    const char* name;
    const char* reason;
  } const cases[] = {
      {"critic", "main", "roles.critic: type openai is not part of this build"},
      {"optimist", "offline", "roles.perspective"},
      {"challenger", "offline", "roles.perspective"},
      {"grouping", "sheet", "roles.default"},
      {"synthesizer", "sheet", "roles.default"},
      {"default", "sheet", "roles.default"},
      {"analyst", "sheet",
       "roles.analyst: fallback of quick, type anthropic is not part of this build"},
      {"arbiter", "nobody", "roles.arbiter: no setting defines a model \"nobody\""},
      {"evaluator", "nobody", "roles.arbiter: no setting defines a model \"nobody\""},
  };
  for (const auto& c : cases) {
    CAPTURE(c.role);
    CHECK(registry.choose(c.role).name == c.name);
    CHECK(registry.choose(c.role).reason == c.reason);
  }
  CHECK(registry.knows("main"));
  CHECK(registry.knows("offline"));
  CHECK_FALSE(registry.knows("nobody"));
}

TEST_CASE("registry: an unusable model refuses, a usable one says what answered") {
  asio::io_context io;
  test::StillClock clock;
  ModelRegistry registry(clock);
  registry.configure(settings({}), {});
  struct {
    const char* model;
    ErrorCode code;
  } const cases[] = {{"main", ErrorCode::model_unavailable}, {"nobody", ErrorCode::model_unknown}};
  for (const auto& c : cases) {
    const auto answer = test::run(io, registry.complete(c.model, {}, {}));
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.error().code == c.code);
    CHECK(answer.error().message.find(c.model) != std::string::npos);
    CHECK_FALSE(answer.error().hint.empty());
    CHECK(answer.error().data.at("model") == c.model);
  }
  ModelRequest request;
  request.task.kind = "synthesis";
  request.task.question = "Why is it slow?";
  for (const char* name : {"offline", "sheet"}) {
    const auto answer = test::run(io, registry.complete(name, request, {}));
    REQUIRE(answer.has_value());
    CHECK(answer->model == "offline");  // what really answered
  }
}
