// Every key: a value that is taken and values that are not.

#include <doctest/doctest.h>

#include <set>

#include "server/settings/schema.h"
#include "tests/server/settings/support.h"

using namespace brainstorm;
using test::has;
using test::person;

namespace {

struct Case {
  const char* key;    // as in the table
  const char* good;   // a whole file
  const char* at;     // the key whose value is looked at
  const char* value;  // as shown
  std::vector<const char*> bad;
};

const char* const kArchetypes =
    "archetypes:\n"
    "- {id: a, lens: l, researches: [r], asks: [q], key_question: k, confidence_question: c, bias: "
    "b, missing: m}\n"
    "- {id: b, lens: l, researches: [r], asks: [q], key_question: k, confidence_question: c, bias: "
    "b, missing: m}\n"
    "- {id: c, title: C, lens: l, researches: [r], asks: [q], key_question: k, "
    "confidence_question: c, bias: b, missing: m}\n";

const std::vector<Case>& cases() {
  static const std::vector<Case> table{
      {"models.*.type",
       "models: {a: {type: openai}}",
       "models.a.type",
       "\"openai\"",
       {"models: {a: {type: nonsense}}", "models: {a: {type: 3}}", "models: {a: openai}",
        "models: {a: {model: x}}"}},
      {"models.*.base_url",
       "models: {a: {type: openai, base_url: 'http://127.0.0.1:1/v1'}}",
       "models.a.base_url",
       "\"http://127.0.0.1:1/v1\"",
       {"models: {a: {type: openai, base_url: 'ftp://x'}}",
        "models: {a: {type: openai, base_url: 'http://u:p@host/'}}",
        "models: {a: {type: openai, base_url: 'http://h/?key=1'}}",
        "models: {a: {type: openai, base_url: 'http://'}}"}},
      {"models.*.model",
       "models: {a: {type: openai, model: qwen3}}",
       "models.a.model",
       "\"qwen3\"",
       {"models: {a: {type: openai, model: ''}}", "models: {a: {type: openai, model: [x]}}"}},
      {"models.*.api_key",
       "models: {a: {type: openai, api_key: {env: MY_KEY}}}",
       "models.a.api_key",
       "{\"env\":\"MY_KEY\"}",
       {"models: {a: {type: openai, api_key: {env: 'not a name'}}}",
        "models: {a: {type: openai, api_key: {env: A, command: [b]}}}",
        "models: {a: {type: openai, api_key: {command: []}}}",
        "models: {a: {type: openai, api_key: {file: x}}}"}},
      {"models.*.preset",
       "models: {a: {type: command, preset: codex}}",
       "models.a.preset",
       "\"codex\"",
       {"models: {a: {type: command, preset: bash}}", "models: {a: {type: command}}"}},
      {"models.*.argv",
       "models: {a: {type: command, argv: [my, agent]}}",
       "models.a.argv",
       "[\"my\",\"agent\"]",
       {"models: {a: {type: command, argv: 'my agent'}}",
        "models: {a: {type: command, argv: []}}"}},
      {"models.*.prompt",
       "models: {a: {type: command, preset: codex, prompt: stdin}}",
       "models.a.prompt",
       "\"stdin\"",
       {"models: {a: {type: command, preset: codex, prompt: file}}"}},
      {"models.*.output",
       "models: {a: {type: command, preset: codex, output: jsonl}}",
       "models.a.output",
       "\"jsonl\"",
       {"models: {a: {type: command, preset: codex, output: xml}}"}},
      {"roles.*",
       "roles: {critic: {model: offline, fallback: [offline]}}",
       "roles.critic",
       "{\"fallback\":[\"offline\"],\"model\":\"offline\"}",
       {"roles: {critic: missing}", "roles: {critic: {fallback: [offline]}}",
        "roles: {critic: {model: offline, else: 1}}", "roles: {critic: [offline]}",
        "roles: {critic: {model: offline, fallback: [missing]}}"}},
      {"research.provider",
       "research: {provider: none}",
       "research.provider",
       "\"none\"",
       {"research: {provider: bing}", "research: none"}},
      {"research.url",
       "research: {url: 'http://127.0.0.1:8888'}",
       "research.url",
       "\"http://127.0.0.1:8888\"",
       {"research: {url: localhost}"}},
      {"research.api_key",
       "research: {api_key: {env: BRAVE_KEY}}",
       "research.api_key",
       "{\"env\":\"BRAVE_KEY\"}",
       {"research: {api_key: {env: ''}}"}},
      {"research.fetchAllow",
       "research: {fetchAllow: ['localhost:80', '[::1]:8080']}",
       "research.fetchAllow",
       "[\"localhost:80\",\"[::1]:8080\"]",
       {"research: {fetchAllow: [localhost]}", "research: {fetchAllow: 'localhost:80'}"}},
      {"timeouts.framing",
       "timeouts: {framing: 0.5}",
       "timeouts.framing",
       "0.5",
       {"timeouts: {framing: 0}", "timeouts: {framing: -1}", "timeouts: {framing: 5 min}",
        "timeouts: {framing: 1e99}"}},
      {"timeouts.agent", "timeouts: {agent: 10}", "timeouts.agent", "10", {"timeouts: 10"}},
      {"timeouts.stage2",
       "timeouts: {stage2: 10}",
       "timeouts.stage2",
       "10",
       {"timeouts: {stage2: yes please}"}},
      {"timeouts.converging",
       "timeouts: {converging: 10}",
       "timeouts.converging",
       "10",
       {"timeouts: {converging: true}"}},
      {"timeouts.discovery",
       "timeouts: {discovery: 10}",
       "timeouts.discovery",
       "10",
       {"timeouts: {discovery: []}"}},
      {"timeouts.discoverySync",
       "timeouts: {discoverySync: 2}",
       "timeouts.discoverySync",
       "2",
       {"timeouts: {discoverySync: x}"}},
      {"timeouts.global",
       "timeouts: {global: 10}",
       "timeouts.global",
       "10",
       {"timeouts: {global: 10000000}"}},
      {"timeouts.tournamentRound",
       "timeouts: {tournamentRound: 10}",
       "timeouts.tournamentRound",
       "10",
       {"timeouts: {tournamentRound: {}}"}},
      {"timeouts.tournamentGlobal",
       "timeouts: {tournamentGlobal: 10}",
       "timeouts.tournamentGlobal",
       "10",
       {"timeouts: {tournamentGlobal: '10'}"}},
      {"checkpoints",
       "checkpoints: all",
       "checkpoints",
       "\"all\"",
       {"checkpoints: some", "checkpoints: true", "checkpoints: {a: b}"}},
      {"onIncomplete",
       "onIncomplete: abort",
       "onIncomplete",
       "\"abort\"",
       {"onIncomplete: retry", "onIncomplete: 1"}},
      {"budget.usd",
       "budget: {usd: 2.5}",
       "budget.usd",
       "2.5",
       {"budget: {usd: -1}", "budget: {usd: '2'}"}},
      {"budget.tokens",
       "budget: {tokens: 5000}",
       "budget.tokens",
       "5000",
       {"budget: {tokens: 1.5}", "budget: {tokens: -1}"}},
      {"budget.warnAt", "budget: {warnAt: 0.5}", "budget.warnAt", "0.5", {"budget: {warnAt: 1.5}"}},
      {"limits.promptMin",
       "limits: {promptMin: 20}",
       "limits.promptMin",
       "20",
       {"limits: {promptMin: 0}", "limits: {promptMin: 2000}"}},
      {"limits.promptMax",
       "limits: {promptMax: 20}",
       "limits.promptMax",
       "20",
       {"limits: {promptMax: 5}", "limits: {promptMax: 1e3x}"}},
      {"limits.searches",
       "limits: {searches: 0}",
       "limits.searches",
       "0",
       {"limits: {searches: 11}"}},
      {"limits.fetches", "limits: {fetches: 3}", "limits.fetches", "3", {"limits: {fetches: 0.5}"}},
      {"limits.searchRetryWait",
       "limits: {searchRetryWait: 0}",
       "limits.searchRetryWait",
       "0",
       {"limits: {searchRetryWait: -1}"}},
      {"limits.groupingTimeout",
       "limits: {groupingTimeout: 3}",
       "limits.groupingTimeout",
       "3",
       {"limits: {groupingTimeout: x}"}},
      {"limits.groupingRetryWait",
       "limits: {groupingRetryWait: 3}",
       "limits.groupingRetryWait",
       "3",
       {"limits: {groupingRetryWait: x}"}},
      {"limits.concurrent",
       "limits: {concurrent: 2}",
       "limits.concurrent",
       "2",
       {"limits: {concurrent: 0}"}},
      {"limits.messageBytes",
       "limits: {messageBytes: 100000}",
       "limits.messageBytes",
       "100000",
       {"limits: {messageBytes: 1}"}},
      {"thresholds.collapse",
       "thresholds: {collapse: 0.7}",
       "thresholds.collapse",
       "0.7",
       {"thresholds: {collapse: 2}"}},
      {"thresholds.hybrid",
       "thresholds: {hybrid: 0.7}",
       "thresholds.hybrid",
       "0.7",
       {"thresholds: {hybrid: -0.1}"}},
      {"archetypes",
       kArchetypes,
       "archetypes",
       nullptr,
       {"archetypes: []", "archetypes: [a, b, c]", "archetypes: {a: b}"}},
      {"angles",
       "angles: [{name: mine, definition: d}]",
       "angles",
       "[{\"definition\":\"d\",\"name\":\"mine\"}]",
       {"angles: [{name: mine}]", "angles: [{name: '../x', definition: d}]",
        "angles: [{name: a, definition: d}, {name: a, definition: e}]",
        "angles: [{name: a, definition: d, colour: red}]"}},
      {"prices.*.input",
       "prices: {'gpt-4.1': {input: 2}}",
       "prices.gpt-4.1.input",
       "2",
       {"prices: {x: {input: free}}"}},
      {"prices.*.output",
       "prices: {x: {output: 2}}",
       "prices.x.output",
       "2",
       {"prices: {x: {output: -2}}"}},
      {"prices.*.cached", "prices: {x: {cached: 2}}", "prices.x.cached", "2", {"prices: {x: 2}"}},
      {"prohibitedPatterns",
       "prohibitedPatterns: ['PROJ-[0-9]+', '(foo|bar)?baz']",
       "prohibitedPatterns",
       "[\"PROJ-[0-9]+\",\"(foo|bar)?baz\"]",
       {"prohibitedPatterns: ['[']", "prohibitedPatterns: ['(a+)+b']",
        "prohibitedPatterns: ['(a|aa)+b']", "prohibitedPatterns: ['((ab)*c)*']",
        "prohibitedPatterns: ['(x)\\1']", "prohibitedPatterns: 'x'",
        "prohibitedPatterns: ['((((a{99}){99}){99}){99})']"}},
      {"handoffTargets",
       "handoffTargets: [{name: mine, argv: [run, it]}]",
       "handoffTargets",
       "[{\"argv\":[\"run\",\"it\"],\"name\":\"mine\"}]",
       {"handoffTargets: [{name: mine}]", "handoffTargets: [{name: mine, argv: 'run it'}]"}},
  };
  return table;
}

}  // namespace

TEST_CASE("each key takes what it should and refuses the rest, with the place") {
  for (const auto& one : cases()) {
    CAPTURE(std::string(one.key));
    const auto good = person(one.good);
    if (!good) FAIL(good.error().message);
    if (one.value) CHECK(test::value(*good, one.at) == one.value);
    CHECK(has(test::origin(*good, one.at)->origin, "config.yaml:1"));
    for (const auto* bad : one.bad) {
      CAPTURE(std::string(bad));
      const auto refused = person(bad);
      REQUIRE(!refused);
      CHECK(refused.error().code == ErrorCode::settings_invalid);
      CHECK(refused.error().data.at("line") == "1");
      CHECK(has(refused.error().data.at("file"), "config.yaml"));
      CHECK(!refused.error().data.at("key").empty());
      CHECK(!refused.error().hint.empty());
    }
  }
}

TEST_CASE("the table of cases leaves no key out") {
  std::set<std::string_view> tested;
  for (const auto& one : cases()) tested.insert(one.key);
  for (const auto& key : settings::keys()) {
    CAPTURE(std::string(key.path));
    CHECK(tested.contains(key.path));
  }
}

TEST_CASE("each key reaches what it means") {
  const auto loaded = person(R"(
checkpoints: none
onIncomplete: proceed
timeouts: {framing: 1, agent: 2, stage2: 3, converging: 4, discovery: 5, discoverySync: 6, global: 7, tournamentRound: 8, tournamentGlobal: 0.25}
limits: {promptMin: 1, promptMax: 2, searches: 3, fetches: 4, searchRetryWait: 5, groupingTimeout: 6, groupingRetryWait: 7, concurrent: 8, messageBytes: 70000}
budget: {usd: 1.5, tokens: 9, warnAt: 0.25}
thresholds: {collapse: 0.1, hybrid: 0.2}
prohibitedPatterns: [abc]
models:
  main: {type: openai, base_url: "http://h/v1", model: m, api_key: {command: [pass, show, x]}}
  tool: {type: command, argv: [t, -x], prompt: argument, output: file}
roles: {default: main, critic: {model: tool, fallback: [main, offline]}}
)");
  REQUIRE(loaded);
  const auto& engine = loaded->engine;
  CHECK(engine.checkpoints == Checkpoints::none);
  CHECK(engine.on_incomplete == OnIncomplete::proceed);
  CHECK(engine.timeouts.framing == Millis(1000));
  CHECK(engine.timeouts.agent == Millis(2000));
  CHECK(engine.timeouts.stage2 == Millis(3000));
  CHECK(engine.timeouts.converging == Millis(4000));
  CHECK(engine.timeouts.discovery == Millis(5000));
  CHECK(engine.timeouts.discovery_sync == Millis(6000));
  CHECK(engine.timeouts.global == Millis(7000));
  CHECK(engine.timeouts.tournament_round == Millis(8000));
  CHECK(engine.timeouts.tournament_global == Millis(250));
  CHECK(engine.limits.prompt_min == 1);
  CHECK(engine.limits.prompt_max == 2);
  CHECK(engine.limits.searches == 3);
  CHECK(engine.limits.fetches == 4);
  CHECK(engine.limits.search_retry_wait == Millis(5000));
  CHECK(engine.limits.grouping_timeout == Millis(6000));
  CHECK(engine.limits.grouping_retry_wait == Millis(7000));
  CHECK(engine.limits.concurrent == 8);
  CHECK(engine.limits.message_bytes == 70000);
  CHECK(engine.budget.usd == 1.5);
  CHECK(engine.budget.tokens == 9);
  CHECK(engine.budget.warn_at == 0.25);
  CHECK(engine.collapse == 0.1);
  CHECK(engine.hybrid == 0.2);
  CHECK(engine.prohibited_patterns == std::vector<std::string>{"abc"});
  REQUIRE(loaded->models.size() == 2);
  CHECK(loaded->models[0].name == "main");
  CHECK(loaded->models[0].base_url == "http://h/v1");
  CHECK(loaded->models[0].model == "m");
  CHECK(loaded->models[0].api_key.command == std::vector<std::string>{"pass", "show", "x"});
  CHECK(loaded->models[1].type == "command");
  CHECK(loaded->models[1].argv == std::vector<std::string>{"t", "-x"});
  CHECK(loaded->models[1].prompt == "argument");
  CHECK(loaded->models[1].output == "file");
  CHECK(engine.roles.at("default").name == "main");
  CHECK(engine.roles.at("critic").fallback == std::vector<std::string>{"main", "offline"});
}

TEST_CASE("the shown defaults are the engines' defaults") {
  const auto loaded = load_settings({});
  REQUIRE(loaded);
  const Settings untouched;
  CHECK(loaded->engine.timeouts.framing == untouched.timeouts.framing);
  CHECK(loaded->engine.timeouts.agent == untouched.timeouts.agent);
  CHECK(loaded->engine.timeouts.stage2 == untouched.timeouts.stage2);
  CHECK(loaded->engine.timeouts.converging == untouched.timeouts.converging);
  CHECK(loaded->engine.timeouts.discovery == untouched.timeouts.discovery);
  CHECK(loaded->engine.timeouts.discovery_sync == untouched.timeouts.discovery_sync);
  CHECK(loaded->engine.timeouts.global == untouched.timeouts.global);
  CHECK(loaded->engine.timeouts.tournament_round == untouched.timeouts.tournament_round);
  CHECK(loaded->engine.timeouts.tournament_global == untouched.timeouts.tournament_global);
  CHECK(loaded->engine.limits.prompt_min == untouched.limits.prompt_min);
  CHECK(loaded->engine.limits.prompt_max == untouched.limits.prompt_max);
  CHECK(loaded->engine.limits.searches == untouched.limits.searches);
  CHECK(loaded->engine.limits.fetches == untouched.limits.fetches);
  CHECK(loaded->engine.limits.search_retry_wait == untouched.limits.search_retry_wait);
  CHECK(loaded->engine.limits.grouping_timeout == untouched.limits.grouping_timeout);
  CHECK(loaded->engine.limits.grouping_retry_wait == untouched.limits.grouping_retry_wait);
  CHECK(loaded->engine.limits.concurrent == untouched.limits.concurrent);
  CHECK(loaded->engine.limits.message_bytes == untouched.limits.message_bytes);
  CHECK(loaded->engine.checkpoints == untouched.checkpoints);
  CHECK(loaded->engine.on_incomplete == untouched.on_incomplete);
  CHECK(loaded->engine.budget.warn_at == untouched.budget.warn_at);
  CHECK(loaded->engine.collapse == untouched.collapse);
  CHECK(loaded->engine.hybrid == untouched.hybrid);
  for (const auto& setting : loaded->origins) CHECK(setting.origin == "default");
}

TEST_CASE("the documented sample is accepted") {
  const auto loaded = person(R"(
models:
  main:  {type: openai, base_url: "http://127.0.0.1:11434/v1", model: qwen3, api_key: {env: OPENAI_API_KEY}}
  quick: {type: anthropic, model: claude-haiku-4-5}
  codex: {type: command, preset: codex}
roles:     {default: main, grouping: quick, critic: codex, contrarian: codex}
research:  {provider: searxng, url: "http://127.0.0.1:8888"}
timeouts:  {framing: 300, agent: 600, stage2: 900, converging: 600, discovery: 30, discoverySync: 5, global: 2700, tournamentRound: 900, tournamentGlobal: 5400}
checkpoints: gates
onIncomplete: retry-then-proceed
budget:    {usd: 2.00, tokens: 200000, warnAt: 0.8}
limits:    {promptMin: 10, promptMax: 1000, searches: 2, fetches: 1, searchRetryWait: 30, groupingTimeout: 30, concurrent: 5}
)");
  if (!loaded) FAIL(loaded.error().message);
  CHECK(loaded->warnings.empty());
  CHECK(loaded->models.size() == 3);
}
