#include "server/cli/arguments.h"

#include <doctest/doctest.h>

#include "protocol/text.h"

using namespace brainstorm;
using namespace brainstorm::cli;

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  bool any = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any || !word.empty()) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
    }
  }
  if (any || !word.empty()) words.push_back(word);
  return words;
}

/// Everything that was understood, in one line.
std::string shown(const Arguments& a) {
  static const char* const kVerbs[] = {"none",     "help",    "version", "stdio",  "run",
                                       "sessions", "show",    "decide",  "accept", "resume",
                                       "cancel",   "archive", "models",  "doctor", "config"};
  std::string line = kVerbs[static_cast<int>(a.verb)];
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) line += std::string(" ") + name + "=" + value;
  };
  add("folder", a.folder);
  if (a.trust) line += " trust";
  if (a.json) line += " json";
  add("question", a.question);
  add("context", text::join(a.context, ","));
  if (a.checkpoints) {
    static const char* const kCheckpoints[] = {"none", "gates", "all"};
    add("checkpoints", kCheckpoints[static_cast<int>(*a.checkpoints)]);
  }
  for (const auto& [role, model] : a.models) add("model", role + ":" + model);
  add("session", a.session);
  add("choice", a.choice);
  add("decision", a.decision);
  for (const auto& [key, value] : a.values) add("value", key + ":" + value);
  add("what", a.what);
  add("agent", a.agent);
  if (a.all) line += " all";
  if (a.schema) line += " schema";
  return line;
}

}  // namespace

TEST_CASE("what is typed is understood") {
  struct Case {
    const char* typed;
    const char* meant;
  };
  const Case cases[] = {
      {"", "none"},
      {"--help", "help"},
      {"-h", "help"},
      {"run --help", "help"},
      {"--version", "version"},
      {"--stdio", "stdio"},
      {"--stdio --clientProcessId=123", "stdio"},
      {"run 'Should we do it?'", "run question=Should we do it?"},
      {"run Should we do it?", "run question=Should we do it?"},
      {"run Should we resume the show or cancel sessions?",
       "run question=Should we resume the show or cancel sessions?"},
      {"run -- '-O2 or -O3?'", "run question=-O2 or -O3?"},
      {"run 'Q q q' --mode swarm", "run question=Q q q"},
      {"run 'Q q q' --context a.cpp --context 'b c.h'", "run question=Q q q context=a.cpp,b c.h"},
      {"run --context a.cpp 'Q q q'", "run question=Q q q context=a.cpp"},
      {"run 'Q q q' --checkpoints none", "run question=Q q q checkpoints=none"},
      {"run 'Q q q' --checkpoints=gates", "run question=Q q q checkpoints=gates"},
      {"run --checkpoints all 'Q q q'", "run question=Q q q checkpoints=all"},
      {"run 'Q q q' --model critic=gpt --model default=a=b",
       "run question=Q q q model=critic:gpt model=default:a=b"},
      {"run --model critic=gpt 'Q q q' --json", "run json question=Q q q model=critic:gpt"},
      {"run 'Q q q' --folder /x --trust", "run folder=/x trust question=Q q q"},
      {"--folder /x --trust run 'Q q q'", "run folder=/x trust question=Q q q"},
      {"sessions", "sessions"},
      {"sessions --all --json", "sessions json all"},
      {"show last", "show session=last"},
      {"show last perspective critic", "show session=last what=perspective agent=critic"},
      {"decide s-1 approve", "decide session=s-1 choice=approve"},
      {"decide s-1 refine --text 'more, please'",
       "decide session=s-1 choice=refine value=text:more, please"},
      {"decide s-1 raise --decision budget-1 --value amount=5 --value why=x=y",
       "decide session=s-1 choice=raise decision=budget-1 value=amount:5 value=why:x=y"},
      {"accept last", "accept session=last"},
      {"resume last --json", "resume json session=last"},
      {"cancel last", "cancel session=last"},
      {"archive last", "archive session=last"},
      {"models --json", "models json"},
      {"doctor", "doctor"},
      {"doctor --session last --json", "doctor json session=last"},
      {"config", "config"},
      {"config --schema", "config schema"},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.typed));
    const auto parsed = parse_arguments(split(one.typed));
    if (!parsed) FAIL(parsed.error().message);
    CHECK(shown(*parsed) == one.meant);
  }
}

TEST_CASE("what cannot be right is a usage error") {
  for (const std::string typed : {"frobnicate",
                                  "run",
                                  "run 'Q q q' --checkpoints some",
                                  "run 'Q q q' --mode tournament",
                                  "run 'Q q q' --model critic",
                                  "run 'Q q q' --model =x",
                                  "run 'Q q q' --model critic=",
                                  "run 'Q q q' --frobnicate",
                                  "show",
                                  "decide last",
                                  "decide",
                                  "accept",
                                  "accept a b",
                                  "decide last raise --value amount",
                                  "sessions --context x",
                                  "--folder",
                                  "--folder /x",
                                  "--trust",
                                  "--stdio run",
                                  "models extra",
                                  "run 'Q\xff q q'"}) {
    CAPTURE(typed);
    const auto parsed = parse_arguments(split(typed));
    REQUIRE(!parsed);
    CHECK(parsed.error().code == ErrorCode::invalid_argument);
    CHECK(!parsed.error().message.empty());
    CHECK(parsed.error().hint.find("--help") != std::string::npos);
  }
}

TEST_CASE("the help fits a screen and names every command") {
  const auto help = help_screen();
  const auto lines = text::lines(help);
  CHECK(lines.size() <= 24);
  for (const auto line : lines) CHECK(text::code_points(line) <= 80);
  for (const std::string word :
       {"run", "sessions", "show", "decide", "accept", "resume", "cancel", "archive", "models",
        "doctor", "config", "--stdio", "--version", "--help", "--folder", "--trust", "--json"}) {
    CAPTURE(word);
    CHECK(help.find(word) != std::string::npos);
  }
  CHECK(parse_arguments({"--help"})->help == help);
  CHECK(parse_arguments({"decide", "--help"})->help.find("--decision") != std::string::npos);
}
