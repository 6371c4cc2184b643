#include "protocol/brainstorm.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

namespace brainstorm {
namespace {

Json parsed(std::string_view text) {
  Result<Json> value = json::parse(text);
  REQUIRE(value.has_value());
  return *std::move(value);
}

Decision sample_decision() {
  Decision decision;
  decision.id = "review-2";
  decision.kind = "review";
  decision.prompt = "Accept 頭脳 🦊?";
  decision.options = {{"accept", "Accept"}, {"refine", "Refine…"}};
  Field text;
  text.id = "text";
  text.label = "What to change";
  text.required = true;
  Field about;
  about.id = "about";
  about.label = "About";
  about.type = "enum";
  about.fallback = "C1";
  about.options = {{"C1", "First"}};
  decision.fields = {text, about};
  decision.blocking = false;
  decision.created_at = "2026-01-02T03:04:05Z";
  return decision;
}

const char* const kDecisionText =
    R"({"id":"review-2","kind":"review","prompt":"Accept 頭脳 🦊?","blocking":false,)"
    R"("createdAt":"2026-01-02T03:04:05Z","options":[{"id":"accept","title":"Accept"},)"
    R"({"id":"refine","title":"Refine…"}],"fields":[{"id":"text","label":"What to change",)"
    R"("type":"string","required":true},{"id":"about","label":"About","type":"enum",)"
    R"("required":false,"default":"C1","options":[{"id":"C1","title":"First"}]}]})";

TEST_CASE("a decision keeps its shape on the wire and back") {
  CHECK(to_json(sample_decision()) == parsed(kDecisionText));
  const Result<Decision> back = decision_from_json(parsed(kDecisionText));
  REQUIRE(back.has_value());
  CHECK(*back == sample_decision());
}

TEST_CASE("a decision as state files write it, and one with the least") {
  const Result<Decision> stored = decision_from_json(
      parsed(R"({"id":"a","kind":"framing","created_at":"2026-01-02T03:04:05Z","unknown":[1]})"));
  REQUIRE(stored.has_value());
  CHECK(stored->created_at == "2026-01-02T03:04:05Z");
  CHECK(stored->blocking);
  CHECK(stored->options.empty());
  CHECK(decision_from_json(parsed(R"({"id":"a","kind":"k","options":null,"fields":null})")));
}

TEST_CASE("a broken decision names its bad field") {
  struct Row {
    const char* text;
    const char* field;
  };
  for (const Row& row : std::vector<Row>{
           {"null", "id"},
           {"[]", "id"},
           {R"({"id":5,"kind":"k"})", "id"},
           {R"({"id":"a"})", "kind"},
           {R"({"id":"a","kind":"k","options":{}})", "options"},
           {R"({"id":"a","kind":"k","options":[{"id":"x","title":"X"},5]})", "options[1].id"},
           {R"({"id":"a","kind":"k","options":[{"id":"x"}]})", "options[0].title"},
           {R"({"id":"a","kind":"k","fields":[{"id":null}]})", "fields[0].id"},
           {R"({"id":"a","kind":"k","fields":[{"id":"f","options":[{}]}]})",
            "fields[0].options[0].id"}}) {
    CAPTURE(row.text);
    const Result<Decision> decision = decision_from_json(parsed(row.text));
    REQUIRE_FALSE(decision.has_value());
    CHECK(decision.error().code == ErrorCode::invalid_argument);
    CHECK(decision.error().data.at("field") == row.field);
  }
}

TEST_CASE("an empty snapshot has every field, absent facts as null") {
  CHECK(to_json(Snapshot()) ==
        parsed(R"({"id":"","mode":"","folder":"","question":"","stage":0,"stages":0,)"
               R"("stageName":"","state":"","cancelling":false,"revision":0,"started":"",)"
               R"("updated":"","resumable":false,"error":null,"agents":[],)"
               R"("usage":{"tokensIn":0,"tokensOut":0,"cached":0,"cost":null},)"
               R"("pendingDecisions":[],"files":[],"insights":[],"versions":[],"warnings":[]})"));
}

TEST_CASE("a full snapshot") {
  Snapshot snapshot;
  snapshot.id = "swarm-session-20260102-030405-0a1b2c3d";
  snapshot.mode = "swarm";
  snapshot.folder = "/home/me/project";
  snapshot.question = "Why?";
  snapshot.stage = 2;
  snapshot.stages = 4;
  snapshot.stage_name = "DIVERGING";
  snapshot.state = "FAILED";
  snapshot.cancelling = true;
  snapshot.revision = 9;
  snapshot.started = "2026-01-02T03:04:05Z";
  snapshot.updated = "2026-01-02T03:05:05Z";
  snapshot.resumable = true;
  snapshot.error = "The disk is full.";
  snapshot.agents = {{"critic", "in_progress", 1500, "offline", 12, 900, "Reading"}};
  snapshot.usage = {10, 20, 5, 0.25};
  snapshot.pending_decisions = {sample_decision()};
  snapshot.files = {{"board.md", "file:///b"}};
  snapshot.insights = {{"C1", "convergent", "Same", "file:///s", 12}};
  snapshot.versions = {"file:///s.v1"};
  snapshot.warnings = {"one"};
  Json expected = parsed(
      R"({"id":"swarm-session-20260102-030405-0a1b2c3d","mode":"swarm",)"
      R"("folder":"/home/me/project","question":"Why?","stage":2,"stages":4,)"
      R"("stageName":"DIVERGING","state":"FAILED","cancelling":true,"revision":9,)"
      R"("started":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:05:05Z","resumable":true,)"
      R"("error":"The disk is full.","agents":[{"id":"critic","state":"in_progress",)"
      R"("elapsedMs":1500,"model":"offline","tokens":12,"lastActivityMs":900,)"
      R"("headline":"Reading"}],"usage":{"tokensIn":10,"tokensOut":20,"cached":5,"cost":0.25},)"
      R"("files":[{"name":"board.md","uri":"file:///b"}],"insights":[{"id":"C1",)"
      R"("kind":"convergent","title":"Same","uri":"file:///s","line":12}],)"
      R"("versions":["file:///s.v1"],"warnings":["one"]})");
  expected["pendingDecisions"] = Json::array({parsed(kDecisionText)});
  CHECK(to_json(snapshot) == expected);
}

TEST_CASE("deltas and forms") {
  CHECK(to_json(Delta{"s", "critic", 12, "頭\n"}) ==
        parsed(R"({"session":"s","agent":"critic","offset":12,"text":"頭\n"})"));
  CHECK(to_json(Form{"", "", "Title", {}}) == parsed(R"({"title":"Title","fields":[]})"));
  Field field;
  field.id = "text";
  field.label = "Text";
  CHECK(to_json(Form{"s", "d", "T", {field}}) ==
        parsed(R"({"session":"s","decision":"d","title":"T","fields":[)"
               R"({"id":"text","label":"Text","type":"string","required":false}]})"));
}

TEST_CASE("answers to a form: only accept carries values, oddities dismiss") {
  using Action = FormAnswer::Action;
  struct Row {
    const char* text;
    Action action;
    std::vector<std::pair<std::string, std::string>> values;
  };
  for (const Row& row : std::vector<Row>{
           {"null", Action::cancel, {}},
           {"{}", Action::cancel, {}},
           {R"({"action":"cancel"})", Action::cancel, {}},
           {R"({"action":"decline","values":{"a":"b"}})", Action::decline, {}},
           {R"({"action":"launch","values":{"a":"b"}})", Action::cancel, {}},
           {R"({"action":5})", Action::cancel, {}},
           {R"({"action":"accept"})", Action::accept, {}},
           {R"({"action":"accept","values":null})", Action::accept, {}},
           {R"({"action":"accept","values":[1]})", Action::accept, {}},
           {R"({"action":"accept","values":{"b":true,"i":-3,"n":1.5,"t":"x\"y","z":null,"o":{}}})",
            Action::accept,
            {{"b", "true"}, {"i", "-3"}, {"n", "1.5"}, {"t", "x\"y"}}}}) {
    CAPTURE(row.text);
    const Result<FormAnswer> answer = form_answer_from_json(parsed(row.text));
    REQUIRE(answer.has_value());
    CHECK(answer->action == row.action);
    CHECK(answer->values == row.values);
  }
  for (const char* text : {"5", "\"accept\"", "[]", "true"}) {
    CAPTURE(text);
    const Result<FormAnswer> answer = form_answer_from_json(parsed(text));
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.error().code == ErrorCode::invalid_argument);
  }
}

TEST_CASE("facts of an error cannot hide its code") {
  const Error error{ErrorCode::disk_full, "m", "h", {{"code", "x"}, {"hint", "y"}, {"path", "/a"}}};
  CHECK(to_json(error) == parsed(R"({"code":"disk_full","hint":"h","path":"/a"})"));
}

TEST_CASE("every error code has its own name") {
  std::set<std::string> names;
  const int last = static_cast<int>(ErrorCode::quorum_missed);
  for (int code = 0; code <= last; ++code) {
    names.emplace(to_string(static_cast<ErrorCode>(code)));
  }
  CHECK(names.size() == static_cast<std::size_t>(last) + 1);
  CHECK(names.count("") == 0);
}

TEST_CASE("the reference for clients names every error code and every field") {
  std::ifstream file("protocol/README.md");
  const std::string reference{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(reference.empty());
  for (int code = 0; code <= static_cast<int>(ErrorCode::quorum_missed); ++code) {
    const std::string name{to_string(static_cast<ErrorCode>(code))};
    CAPTURE(name);
    CHECK(reference.find("`" + name + "`") != std::string::npos);
  }
  Snapshot snapshot;
  snapshot.agents.resize(1);
  snapshot.files.resize(1);
  snapshot.insights.resize(1);
  snapshot.pending_decisions = {sample_decision()};
  const Json flat = Json(to_json(snapshot)).flatten();
  for (const auto& [path, value] : flat.items()) {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name.find_first_not_of("0123456789") == std::string::npos) continue;
    CAPTURE(name);
    CHECK(std::regex_search(reference, std::regex("\\b" + name + "\\b")));
  }
}

TEST_CASE("results carry values and errors through TRY") {
  const auto half = [](int value) -> Result<int> {
    if (value % 2 != 0) return Error{ErrorCode::internal, "odd", "", {}};
    return value / 2;
  };
  const auto quarter = [&](int value) -> Result<int> {
    TRY(const int first, half(value));
    TRY(const int second, half(first));
    return second;
  };
  const auto check = [&](int value) -> Ok {
    TRY_OK(quarter(value));
    return {};
  };
  CHECK(quarter(8).value() == 2);
  CHECK(quarter(6).error().message == "odd");
  CHECK(check(8).has_value());
  CHECK(check(5).error().code == ErrorCode::internal);
}

}  // namespace
}  // namespace brainstorm
