#include "server/lsp/arguments.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace brainstorm;

namespace {

/// A command's reader, reduced to its error's field: "" is success, "!code" another error.
template <class T>
std::string field_of(const Result<T>& result) {
  if (result) return "";
  if (result.error().code != ErrorCode::invalid_argument) {
    return "!" + std::string(to_string(result.error().code));
  }
  CHECK_FALSE(result.error().message.empty());
  CHECK_FALSE(result.error().hint.empty());
  return result.error().data.at("field");
}

std::string refused(const std::string& command, const std::string& text) {
  const Json object = Json::parse(text);
  if (command == "start") return field_of(arguments::start(object));
  if (command == "sessions") return field_of(arguments::sessions(object));
  if (command == "show") return field_of(arguments::show(object));
  if (command == "decide") return field_of(arguments::decide(object));
  if (command == "session") return field_of(arguments::session(object));
  return field_of(arguments::maybe_session(object));
}

}  // namespace

TEST_CASE("arguments: an error names the path of the bad field") {
  struct Case {
    std::string command;
    std::string object;
    std::string field;  // below params.arguments[0]
  };
  const std::vector<Case> cases{
      {"start", R"({"question": 7})", "question"},
      {"start", R"({"question": ["a"]})", "question"},
      {"start", R"({"question": "q", "mode": 1})", "mode"},
      {"start", R"({"question": "q", "folder": {}})", "folder"},
      {"start", R"({"question": "q", "folder": "relative/path"})", "folder"},
      {"start", R"({"question": "q", "folder": "file:///a%00b"})", "folder"},
      {"start", R"({"question": "q", "folder": "http://x/y"})", "folder"},
      {"start", R"({"question": "q", "wait": "yes"})", "wait"},
      {"start", R"({"question": "q", "wait": 1})", "wait"},
      {"start", R"({"question": "q", "dryRun": []})", "dryRun"},
      {"start", R"({"question": "q", "checkpoints": "some"})", "checkpoints"},
      {"start", R"({"question": "q", "checkpoints": true})", "checkpoints"},
      {"start", R"({"question": "q", "models": "offline"})", "models"},
      {"start", R"({"question": "q", "models": {"critic": 4}})", "models.critic"},
      {"start", R"({"question": "q", "research": "deep"})", "research"},
      {"start", R"({"question": "q", "context": {}})", "context"},
      {"start", R"({"question": "q", "context": ["x"]})", "context[0]"},
      {"start", R"({"question": "q", "context": [{}]})", "context[0].kind"},
      {"start", R"({"question": "q", "context": [{"kind": "song", "text": "x"}]})",
       "context[0].kind"},
      {"start", R"({"question": "q", "context": [{"kind": "file"}]})", "context[0].uri"},
      {"start", R"({"question": "q", "context": [{"kind": "diff"}]})", "context[0].text"},
      {"start",
       R"({"question": "q", "context": [{"kind": "text", "text": "x"}, {"kind": "text", "text": 1}]})",
       "context[1].text"},
      {"start",
       R"({"question": "q", "context": [{"kind": "file", "uri": "file:///a", "range": 3}]})",
       "context[0].range"},
      {"start",
       R"({"question": "q", "context": [{"kind": "file", "uri": "file:///a",
           "range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}}]})",
       "context[0].range.start.line"},
      {"start", R"({"question": "q", "origin": "here"})", "origin"},
      {"start", R"({"question": "q", "origin": {"range": 1}})", "origin.uri"},
      {"start", R"({"question": "q", "origin": {"uri": "file:///a"}})", "origin.range"},
      {"start",
       R"({"question": "q", "origin": {"uri": "file:///a",
           "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1e99, "character": 0}}}})",
       "origin.range.end.line"},
      {"sessions", R"({"filter": "all"})", "filter"},
      {"sessions", R"({"filter": {"state": 1}})", "filter.state"},
      {"sessions", R"({"filter": {"limit": "10"}})", "filter.limit"},
      {"sessions", R"({"filter": {"limit": 0}})", "filter.limit"},
      {"sessions", R"({"filter": {"limit": 1.5}})", "filter.limit"},
      {"sessions", R"({"filter": {"folder": "x"}})", "filter.folder"},
      {"show", R"({})", "session"},
      {"show", R"({"session": null})", "session"},
      {"show", R"({"session": "  "})", "session"},
      {"show", R"({"session": "s", "what": 1})", "what"},
      {"show", R"({"session": "s", "agent": []})", "agent"},
      {"decide", R"({"choice": "a"})", "session"},
      {"decide", R"({"session": "s"})", "choice"},
      {"decide", R"({"session": "s", "choice": 1})", "choice"},
      {"decide", R"({"session": "s", "choice": "a", "decision": 1})", "decision"},
      {"decide", R"({"session": "s", "choice": "a", "values": "x"})", "values"},
      {"decide", R"({"session": "s", "choice": "a", "values": {"text": [1]}})", "values.text"},
      {"session", R"({})", "session"},
      {"session", R"({"session": 12})", "session"},
      {"doctor", R"({"session": 12})", "session"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.command);
    CAPTURE(one.object);
    CHECK(refused(one.command, one.object) == "params.arguments[0]." + one.field);
  }
}

TEST_CASE("arguments: what is left out, null or unknown is no error") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"start", R"({})"},
      {"start", R"({"question": null, "mode": null, "folder": null, "origin": null, "context": null,
                    "checkpoints": null, "models": null, "wait": null, "dryRun": null})"},
      {"start", R"({"question": "q", "models": [], "context": [], "newer": {"field": 1}})"},
      {"sessions", R"({})"},
      {"sessions", R"({"filter": null})"},
      {"sessions", R"({"filter": []})"},
      {"doctor", R"({})"},
      {"doctor", R"({"session": null})"},
      {"decide", R"({"session": "s", "choice": "a", "decision": null, "values": null})"},
  };
  for (const auto& one : cases) {
    const auto& command = one.first;
    const auto& object = one.second;
    CAPTURE(object);
    CHECK(refused(command, object) == "");
  }
}

TEST_CASE("arguments: what this build cannot do is refused, not ignored") {
  CHECK(refused("start", R"({"question": "q", "budget": 5})") == "!unsupported");
  CHECK(refused("start", R"({"question": "q", "handoff": "x.json"})") == "!unsupported");
}

TEST_CASE("arguments: a full start is read") {
  const auto start = arguments::start(Json::parse(R"({
    "question": "Why?", "mode": "swarm", "folder": "file:///nowhere/a%20b", "wait": true,
    "checkpoints": "all", "models": {"critic": "offline"},
    "origin": {"uri": "file:///a", "text": "t",
               "range": {"start": {"line": 1, "character": 2}, "end": {"line": 3, "character": 4}}},
    "context": [{"kind": "diff", "text": "d"}, {"kind": "file", "uri": "file:///b"}]})"));
  REQUIRE(start);
  CHECK(start->request.question == "Why?");
  CHECK(start->request.folder == "/nowhere/a b");
  CHECK(start->request.checkpoints == Checkpoints::all);
  CHECK(start->request.models.at("critic") == "offline");
  CHECK(start->wait);
  CHECK_FALSE(start->dry_run);
  REQUIRE(start->request.origin);
  CHECK(start->request.origin->start_line == 1);
  CHECK(start->request.origin->end_character == 4);
  REQUIRE(start->context.size() == 2);
  CHECK(start->context[0].text == "d");
  CHECK(start->context[1].uri == "file:///b");
}

TEST_CASE("arguments: values become texts") {
  const auto answer = arguments::decide(Json::parse(
      R"({"session": "s", "choice": "c", "values": {"a": "x", "b": 2, "c": true, "d": null}})"));
  REQUIRE(answer);
  CHECK(answer->values ==
        std::map<std::string, std::string>{{"a", "x"}, {"b", "2"}, {"c", "true"}});
}

TEST_CASE("arguments: settings of a client, in any shape") {
  for (const char* odd : {"null", "7", "[]", "\"x\"", "{}", R"({"brainstorm": null})"}) {
    CAPTURE(odd);
    const auto read = arguments::client_settings(Json::parse(odd));
    CHECK(read.settings == nullptr);
    CHECK_FALSE(read.restricted);
  }
  const auto nested = arguments::client_settings(Json::parse(
      R"({"brainstorm": {"checkpoints": "none", "restricted": true, "trustedFolders": ["/x", 4]}})"));
  REQUIRE(nested.settings);
  CHECK(*nested.settings == Json::parse(R"({"checkpoints": "none"})"));
  CHECK(nested.restricted == true);
  REQUIRE(nested.trusted_folders);
  CHECK(*nested.trusted_folders == std::vector<std::string>{"/x"});
  CHECK(arguments::client_settings(Json::parse(R"({"restricted": "no"})")).restricted == true);
}
