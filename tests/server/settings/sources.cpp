// Who may set what, which source wins, and what is said about mistakes.

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "server/settings/schema.h"
#include "tests/server/settings/support.h"

using namespace brainstorm;
using test::Directory;
using test::has;
using test::person;
using test::value;
using test::warns;

TEST_CASE("a mistake is named with file, line, key and what was probably meant") {
  struct Case {
    const char* yaml;
    const char* line;
    const char* key;
    const char* hint;
  };
  const Case cases[] = {
      {"checkpoint: all\n", "1", "checkpoint", "Did you mean checkpoints?"},
      {"# a\n\ntimeouts:\n  agnet: 5\n", "4", "timeouts.agnet", "Did you mean timeouts.agent?"},
      {"agent: 5\n", "1", "agent", "Did you mean timeouts.agent?"},
      {"limits:\n  discoverysync: 5\n", "2", "limits.discoverysync",
       "Did you mean timeouts.discoverySync?"},
      {"models:\n  a:\n    type: openai\n    apikey: x\n", "4", "models.a.apikey",
       "Did you mean models.a.api_key?"},
      {"models:\n  a:\n    type: openai\n    baseUrl: x\n", "4", "models.a.baseUrl",
       "Did you mean models.a.base_url?"},
      {"budget:\n  zzzzzzzz: 1\n", "2", "budget.zzzzzzzz", "known here: tokens, usd, warnAt"},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.yaml));
    const auto loaded = person(one.yaml);
    REQUIRE(!loaded);
    const auto& error = loaded.error();
    CHECK(error.code == ErrorCode::settings_invalid);
    CHECK(error.data.at("line") == one.line);
    CHECK(error.data.at("key") == one.key);
    CHECK(has(error.message, std::string("config.yaml:") + one.line + ": "));
    CHECK(has(error.hint, one.hint));
  }
}

TEST_CASE("a file that is no YAML is an error with its line") {
  for (const auto* yaml :
       {"a: 1\nb: [\n", "checkpoints: all\ncheckpoints: none\n", "a: &x 1\nb: *x\n"}) {
    CAPTURE(std::string(yaml));
    const auto loaded = person(yaml);
    REQUIRE(!loaded);
    CHECK(loaded.error().code == ErrorCode::settings_invalid);
    CHECK(loaded.error().data.contains("line"));
    CHECK(has(loaded.error().message, "config.yaml:" + loaded.error().data.at("line")));
  }
}

TEST_CASE("odd files: absent, empty, a list, a directory, a FIFO, too large") {
  SettingSources sources;
  sources.person_file = "/nonexistent/config.yaml";
  CHECK(load_settings(sources));
  CHECK(person(""));
  CHECK(person("# only a comment\n"));
  CHECK(!person("[a, b]"));
  CHECK(!person("just text"));
  const Directory directory;
  sources.person_file = directory.path();
  CHECK(!load_settings(sources));
  sources.person_file = directory.path() + "/fifo";
  REQUIRE(::mkfifo(sources.person_file.c_str(), 0600) == 0);
  CHECK(!load_settings(sources));
  CHECK(!person("# " + std::string(1100000, 'x')));
}

TEST_CASE("an untrusted workspace may make things stricter, and no more") {
  struct Case {
    const char* yaml;
    bool taken;
    const char* key;
  };
  const Case cases[] = {
      {"checkpoints: all", true, "checkpoints"},
      {"checkpoints: none", false, "checkpoints"},
      {"timeouts: {agent: 5}", true, "timeouts.agent"},
      {"timeouts: {agent: 6000}", false, "timeouts.agent"},
      {"timeouts: {tournamentGlobal: 1}", true, "timeouts.tournamentGlobal"},
      {"thresholds: {collapse: 0.9}", true, "thresholds.collapse"},
      {"onIncomplete: abort", false, "onIncomplete"},
      {"budget: {usd: 1}", false, "budget.usd"},
      {"limits: {promptMax: 20}", false, "limits.promptMax"},
      {"limits: {messageBytes: 70000}", false, "limits.messageBytes"},
      {"roles: {critic: offline}", false, "roles.critic"},
      {"models: {x: {type: offline}}", false, "models.x.type"},
      {"models: {x: {argv: [rm, -rf, /]}}", false, "models.x.argv"},
      {"models: {x: {base_url: 'http://evil.example'}}", false, "models.x.base_url"},
      {"models: {x: {api_key: {command: [touch, /tmp/x]}}}", false, "models.x.api_key"},
      {"research: {provider: none}", false, "research.provider"},
      {"research: {url: 'http://evil.example'}", false, "research.url"},
      {"research: {fetchAllow: ['localhost:80']}", false, "research.fetchAllow"},
      {"angles: [{name: a, definition: d}]", false, "angles"},
      {"prices: {x: {input: 0}}", false, "prices.x.input"},
      {"prohibitedPatterns: [x]", false, "prohibitedPatterns"},
      {"handoffTargets: [{name: a, argv: [sh]}]", false, "handoffTargets"},
  };
  const auto defaults = *load_settings({});
  for (const auto& one : cases) {
    CAPTURE(std::string(one.yaml));
    const auto loaded = test::workspace(one.yaml, false);
    if (!loaded) FAIL(loaded.error().message);
    const bool refused = warns(*loaded, "config.yaml:1: `" + std::string(one.key) + "` is refused");
    CHECK(refused == !one.taken);
    CHECK((value(*loaded, one.key) != value(defaults, one.key)) == one.taken);
    CHECK(loaded->models.empty());
  }
}

TEST_CASE("a trusted workspace may set more, but no keys, commands, URLs or larger budgets") {
  struct Case {
    const char* yaml;
    bool taken;
  };
  const Case cases[] = {
      {"checkpoints: none", true},
      {"timeouts: {agent: 6000}", true},
      {"onIncomplete: abort", true},
      {"roles: {critic: offline}", true},
      {"angles: [{name: a, definition: d}]", true},
      {"prohibitedPatterns: [x]", true},
      {"budget: {usd: 1}", true},
      {"budget: {warnAt: 0.5}", true},
      {"budget: {warnAt: 0.9}", false},
      {"research: {provider: none}", true},
      {"research: {provider: brave}", false},
      {"research: {url: 'http://evil.example'}", false},
      {"research: {fetchAllow: ['localhost:80']}", false},
      {"models: {x: {type: command, argv: [sh]}}", false},
      {"handoffTargets: [{name: a, argv: [sh]}]", false},
      {"limits: {messageBytes: 70000}", false},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.yaml));
    const auto loaded = test::workspace(one.yaml, true);
    REQUIRE(loaded);
    CHECK(loaded->warnings.empty() == one.taken);
    CHECK(loaded->models.empty());
  }
}

TEST_CASE("what is wrong in a workspace is a warning, never an error") {
  for (const auto* yaml : {"nonsense: 1", "checkpoints: 7", "a: [", "[x]", "timeouts: 3",
                           "a: &x 1\nb: *x", "\"bad\\u001b[31mkey\": 1"}) {
    CAPTURE(std::string(yaml));
    const auto loaded = test::workspace(yaml, false);
    REQUIRE(loaded);
    REQUIRE(!loaded->warnings.empty());
    CHECK(has(loaded->warnings[0], "config.yaml"));
    CHECK(!has(loaded->warnings[0], "\x1b"));
  }
}

TEST_CASE("a workspace's file is not followed through a link") {
  const Directory outside;
  const auto secret = outside.write("secret.yaml", "checkpoints: all\n");
  const Directory directory;
  std::filesystem::create_directory(directory.path() + "/.workflow");
  SettingSources sources;
  sources.workspace_file = directory.path() + "/.workflow/config.yaml";
  std::filesystem::create_symlink(secret, sources.workspace_file);
  auto loaded = load_settings(sources);
  REQUIRE(loaded);
  CHECK(value(*loaded, "checkpoints") == "\"gates\"");
  CHECK(warns(*loaded, "link"));

  const Directory other;
  std::filesystem::rename(secret, outside.path() + "/config.yaml");
  std::filesystem::create_symlink(outside.path(), other.path() + "/.workflow");
  sources.workspace_file = other.path() + "/.workflow/config.yaml";
  loaded = load_settings(sources);
  REQUIRE(loaded);
  CHECK(value(*loaded, "checkpoints") == "\"gates\"");
}

TEST_CASE("later sources win") {
  const Directory directory;
  const Json client = {{"timeouts", {{"converging", 4}, {"global", 4}}}};
  const Json command_line = {{"timeouts", {{"global", 5}}}};
  SettingSources sources;
  sources.workspace_file =
      directory.write(".workflow/config.yaml",
                      "timeouts: {framing: 1, agent: 1, stage2: 1, converging: 1, global: 1}\n");
  sources.person_file =
      directory.write("config.yaml", "timeouts: {agent: 2, stage2: 2, converging: 2, global: 2}\n");
  sources.environment = {{"BRAINSTORM_TIMEOUTS_STAGE2", "3"},
                         {"BRAINSTORM_TIMEOUTS_CONVERGING", "3"},
                         {"BRAINSTORM_TIMEOUTS_GLOBAL", "3"}};
  sources.client = &client;
  sources.command_line = &command_line;
  const auto loaded = load_settings(sources);
  REQUIRE(loaded);
  CHECK(loaded->engine.timeouts.framing == Millis(1000));
  CHECK(loaded->engine.timeouts.agent == Millis(2000));
  CHECK(loaded->engine.timeouts.stage2 == Millis(3000));
  CHECK(loaded->engine.timeouts.converging == Millis(4000));
  CHECK(loaded->engine.timeouts.global == Millis(5000));
  CHECK(has(test::origin(*loaded, "timeouts.framing")->origin, ".workflow/config.yaml:1"));
  CHECK(test::origin(*loaded, "timeouts.stage2")->origin == "BRAINSTORM_TIMEOUTS_STAGE2");
  CHECK(test::origin(*loaded, "timeouts.converging")->origin == "the editor's settings");
  CHECK(test::origin(*loaded, "timeouts.global")->origin == "the command line");
  CHECK(test::origin(*loaded, "timeouts.discovery")->origin == "default");
}

TEST_CASE("the environment") {
  struct Case {
    const char* name;
    const char* text;
    const char* key;
    const char* value;  // nullptr: an error
  };
  const Case cases[] = {
      {"BRAINSTORM_CHECKPOINTS", "none", "checkpoints", "\"none\""},
      {"BRAINSTORM_TIMEOUTS_AGENT", "0.5", "timeouts.agent", "0.5"},
      {"BRAINSTORM_TIMEOUTS_DISCOVERY_SYNC", "1", "timeouts.discoverySync", "1"},
      {"BRAINSTORM_ON_INCOMPLETE", "abort", "onIncomplete", "\"abort\""},
      {"BRAINSTORM_LIMITS_PROMPT_MAX", "50", "limits.promptMax", "50"},
      {"BRAINSTORM_RESEARCH_URL", "http://h", "research.url", "\"http://h\""},
      {"BRAINSTORM_PROHIBITED_PATTERNS", "[\"x\"]", "prohibitedPatterns", "[\"x\"]"},
      {"BRAINSTORM_CHECKPOINTS", "", "checkpoints", "\"gates\""},
      {"BRAINSTORM_CHECKPOINTS", "often", "checkpoints", nullptr},
      {"BRAINSTORM_TIMEOUTS_AGENT", "soon", "timeouts.agent", nullptr},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.name));
    CAPTURE(std::string(one.text));
    SettingSources sources;
    sources.environment[one.name] = one.text;
    const auto loaded = load_settings(sources);
    REQUIRE(loaded.has_value() == (one.value != nullptr));
    if (loaded) {
      CHECK(value(*loaded, one.key) == one.value);
      CHECK(loaded->warnings.empty());
    } else {
      CHECK(has(loaded.error().message, one.name));
    }
  }
  SettingSources sources;
  sources.environment = {{"BRAINSTORM_CHECKPOINT", "all"}, {"BRAINSTORM_LS", "/usr/bin/x"}};
  const auto loaded = load_settings(sources);
  REQUIRE(loaded);
  REQUIRE(loaded->warnings.size() == 1);
  CHECK(has(loaded->warnings[0], "Did you mean BRAINSTORM_CHECKPOINTS?"));
}

TEST_CASE("an editor's mistakes are warnings; the rest counts") {
  const Json client = {{"checkpoint", "all"},
                       {"timeouts", {{"agent", "soon"}, {"global", 9}}},
                       {"models", {{"a", {{"model", "x"}}}}},
                       {"roles", {{"critic", "missing"}}}};
  SettingSources sources;
  sources.client = &client;
  const auto loaded = load_settings(sources);
  REQUIRE(loaded);
  CHECK(loaded->engine.timeouts.global == Millis(9000));
  CHECK(loaded->engine.timeouts.agent == Millis(600000));
  CHECK(loaded->models.empty());
  CHECK(loaded->engine.roles.empty());
  CHECK(warns(*loaded, "Did you mean checkpoints?"));
  CHECK(warns(*loaded, "`timeouts.agent` must be a number of seconds"));
  CHECK(warns(*loaded, "`models.a` has no type"));
  CHECK(warns(*loaded, "`roles.critic` names a model"));
  for (const Json& odd : {Json(7), Json("x"), Json::array({1}), Json(nullptr)}) {
    sources.client = &odd;
    CHECK(load_settings(sources));
  }
}

TEST_CASE("a key in clear is taken from the person's own private file only, and never shown") {
  const std::string key = "sk-planted-0123456789abcdef";
  const auto shows = [&](const LoadedSettings& settings) {
    std::string all;
    for (const auto& one : settings.origins) all += one.key + one.value + one.origin;
    for (const auto& warning : settings.warnings) all += warning;
    return has(all, key);
  };
  const auto yaml = "models: {a: {type: openai, api_key: " + key + "}}";
  const auto mine = person(yaml, 0600);
  REQUIRE(mine);
  CHECK(mine->models[0].api_key.literal == key);
  CHECK(warns(*mine, "holds a key in clear"));
  CHECK(!shows(*mine));

  for (const mode_t mode : {0644U, 0640U, 0604U}) {
    const auto open = person(yaml, mode);
    REQUIRE(!open);
    CHECK(has(open.error().hint, "chmod 600"));
    CHECK(!has(open.error().message + open.error().hint, key));
  }
  for (const bool trusted : {false, true}) {
    const auto loaded = test::workspace(yaml, trusted);
    REQUIRE(loaded);
    CHECK(loaded->models.empty());
    CHECK(!shows(*loaded));
  }
  const Json client = {{"models", {{"a", {{"type", "openai"}, {"api_key", key}}}}}};
  SettingSources sources;
  sources.client = &client;
  const auto loaded = load_settings(sources);
  REQUIRE(loaded);
  REQUIRE(loaded->models.size() == 1);
  CHECK(loaded->models[0].api_key.literal.empty());
  CHECK(!shows(*loaded));
}

TEST_CASE("a key pasted into the wrong place is not repeated") {
  const std::string key = "sk-planted-0123456789abcdef";
  const std::vector<std::string> files{
      "checkpoints: " + key,
      "timeouts: {agent: " + key + "}",
      "models: {a: {type: " + key + "}}",
      "models: {a: {type: openai, base_url: " + key + "}}",
      "models: {a: {type: openai, base_url: 'http://u:" + key + "@h'}}",
      "models: {a: {type: openai, api_key: {env: '" + key + "'}}}",
      "roles: {critic: " + key + "}",
      "prohibitedPatterns: ['[" + key + "']",
      "research: {fetchAllow: [" + key + "]}",
      "models: " + key};
  for (const auto& yaml : files) {
    CAPTURE(std::string(yaml));
    const auto loaded = person(yaml);
    REQUIRE(!loaded);
    std::string all = loaded.error().message + loaded.error().hint;
    for (const auto& [name, text] : loaded.error().data) all += text;
    CHECK(!has(all, key));
  }
  const auto loaded =
      person("models: {a: {type: openai, api_key: {command: [sh, -c, 'echo " + key + "']}}}");
  REQUIRE(loaded);
  CHECK(value(*loaded, "models.a.api_key") == "{\"command\":[\"sh\",\"…\"]}");
}

TEST_CASE("edit distance") {
  CHECK(settings::edit_distance("", "") == 0);
  CHECK(settings::edit_distance("abc", "") == 3);
  CHECK(settings::edit_distance("agnet", "agent") == 2);
  CHECK(settings::edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the schema describes every key") {
  const auto schema = settings::json_schema();
  const auto& properties = schema["properties"];
  CHECK(properties["checkpoints"]["enum"] == Json({"none", "gates", "all"}));
  CHECK(properties["timeouts"]["properties"]["agent"]["default"] == 600);
  CHECK(properties["timeouts"]["additionalProperties"] == false);
  CHECK(properties["models"]["additionalProperties"]["properties"]["type"]["enum"].size() == 7);
  CHECK(properties["roles"]["additionalProperties"]["anyOf"].size() == 2);
  CHECK(properties["archetypes"]["items"]["required"].size() == 8);
  for (const auto& key : settings::keys()) {
    const Json* at = &schema;
    for (const auto part : settings::segments(key.path)) {
      const auto name = part == "*" ? std::string("additionalProperties") : std::string(part);
      const Json& next = part == "*" ? *at : (*at)["properties"];
      REQUIRE(next.contains(name));
      at = &next[name];
    }
    CHECK((*at)["description"].get<std::string>() == key.about);
  }
}
