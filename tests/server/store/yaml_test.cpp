#include "server/store/yaml.h"

#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>

using namespace brainstorm;

namespace {

std::string times(std::string_view part, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += part;
  return result;
}

}  // namespace

TEST_CASE("strings that YAML readers get wrong come back as they were") {
  const std::string nasty[] = {"",
                               " ",
                               "no",
                               "yes",
                               "y",
                               "on",
                               "null",
                               "~",
                               "true",
                               "123",
                               "1e5",
                               "0x1F",
                               "0o7",
                               ".inf",
                               "-.5",
                               "1_000",
                               "12:30:45",
                               "2026-01-31",
                               "2026-01-31T09:05:07Z",
                               "- item",
                               "key: value",
                               "# comment",
                               "a # b",
                               "a: b: c",
                               "[x",
                               "{x",
                               "]",
                               "&anchor",
                               "*alias",
                               "!tag",
                               "%percent",
                               "@at",
                               "`tick",
                               "|",
                               ">",
                               "?",
                               "---",
                               "...",
                               "<<",
                               "=",
                               "trailing  ",
                               "  leading",
                               "tab\there",
                               "\t",
                               "line\nbreak",
                               "line\r\nbreak",
                               "ends\n",
                               "\n\n",
                               "\"quoted\"",
                               "back\\slash",
                               "\\n",
                               "it's",
                               "\x01\x02\x1b[31m",
                               "\x7f",
                               "\u0085",
                               "\u00a0",
                               "\u2028\u2029",
                               "\ufeff",
                               "\uffff",
                               "\ufffe",
                               "é",
                               "日本語",
                               "🎉 party",
                               "👩‍👩‍👧",
                               std::string("nul\0here", 8),
                               std::string(1, '\0'),
                               std::string(3000, 'x'),
                               times("line of text\n", 10000),
                               "\x04 end of transmission"};
  for (const std::string& text : nasty) {
    CAPTURE(text.substr(0, 80));
    const Json value = {
        {"text", text}, {text.substr(0, 3000), 1}, {"list", {text, {{"in", text}}}}};
    const std::string yaml = write_yaml(value);
    auto back = read_yaml(yaml, "test");
    REQUIRE_MESSAGE(back, (back ? "" : back.error().message));
    CHECK(*back == value);
    for (const char c : yaml) {
      const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n';
      REQUIRE_FALSE(control);
    }
  }
}

TEST_CASE("values of every kind come back with their type") {
  const char* cases[] = {"null",
                         "true",
                         "false",
                         "0",
                         "-1",
                         "9223372036854775807",
                         "18446744073709551615",
                         "-9223372036854775808",
                         "0.5",
                         "1.0",
                         "1e22",
                         "-1.5e-300",
                         "\"x\"",
                         "{}",
                         "[]",
                         "[[]]",
                         "[{}]",
                         "[[1,2],[3,[4,5]]]",
                         R"([{"a":1,"b":[1]},{"c":{"d":null}}])",
                         R"({"a":{"b":{"c":[1,{"d":2}]}}})",
                         R"({"a":[],"b":{},"c":[[],{}]})",
                         R"([["x"],"y",[{"z":[true]}]])",
                         R"({"":1," ":2})"};
  for (const char* text : cases) {
    CAPTURE(text);
    const Json value = Json::parse(text);
    auto back = read_yaml(write_yaml(value), "test");
    REQUIRE(back);
    CHECK(*back == value);
    CHECK(back->is_number_integer() == value.is_number_integer());
    CHECK(back->is_number_float() == value.is_number_float());
  }
  CHECK(write_yaml(Json(1e22)) == "1.0e+22\n");
  CHECK(write_yaml(Json(std::numeric_limits<double>::infinity())) == "null\n");
  CHECK(write_yaml(Json("bad \xff byte")) == "\"bad \uFFFD byte\"\n");
}

TEST_CASE("the written form is stable and readable") {
  const Json value = {
      {"workflow_id", "swarm-1"},
      {"yes", "no"},
      {"count", 3},
      {"stages", {{"b", 1}, {"status", "done"}, {"a", Json::array()}}},
      {"list", {"x", {{"id", "1"}, {"z", 0}}, Json::array({1, 2}), Json::object()}}};
  CHECK(write_yaml(value, {"workflow_id", "status", "id"}) == R"(workflow_id: "swarm-1"
count: 3
list:
  - "x"
  - id: "1"
    z: 0
  -
    - 1
    - 2
  - {}
stages:
  status: "done"
  a: []
  b: 1
"yes": "no"
)");
}

TEST_CASE("plain scalars follow the core schema of YAML 1.2") {
  struct Case {
    const char* yaml;
    const char* json;
  };
  const Case cases[] = {{"~", "null"},
                        {"null", "null"},
                        {"", "null"},
                        {"# only a comment", "null"},
                        {"true", "true"},
                        {"False", "false"},
                        {"TRUE", "true"},
                        {"yes", "\"yes\""},
                        {"no", "\"no\""},
                        {"on", "\"on\""},
                        {"12", "12"},
                        {"+12", "12"},
                        {"-12", "-12"},
                        {"007", "7"},
                        {"0o17", "15"},
                        {"0xfF", "255"},
                        {"0b1", "\"0b1\""},
                        {"1_000", "\"1_000\""},
                        {"1:30", "\"1:30\""},
                        {"1.", "1.0"},
                        {".5", "0.5"},
                        {"+1.5", "1.5"},
                        {"1e3", "1000.0"},
                        {"1e", "\"1e\""},
                        {"e3", "\"e3\""},
                        {"99999999999999999999", "1e20"},
                        {"2026-01-31", "\"2026-01-31\""},
                        {"'12'", "\"12\""},
                        {"\"true\"", "\"true\""},
                        {"! 12", "\"12\""},
                        {"a: b", R"({"a":"b"})"},
                        {"1: x", R"({"1":"x"})"},
                        {"- a\n- 1", R"(["a",1])"},
                        {"{a: [1, b], 'c d': ~}", R"({"a":[1,"b"],"c d":null})"},
                        {"a: |\n  x\n  y\n", R"({"a":"x\ny\n"})"},
                        {"a: >\n  x\n  y\n", R"({"a":"x y\n"})"},
                        {"<<: 1", R"({"<<":1})"},
                        {"\xEF\xBB\xBF"
                         "a: 1",
                         R"({"a":1})"},
                        {"a: 1\r\nb: 2\r\n", R"({"a":1,"b":2})"},
                        {"--- \na: 1\n...\n", R"({"a":1})"}};
  for (const Case& item : cases) {
    CAPTURE(item.yaml);
    auto value = read_yaml(item.yaml, "test");
    REQUIRE_MESSAGE(value, (value ? "" : value.error().message));
    CHECK(json::dump(*value) == json::dump(Json::parse(item.json)));
  }
}

TEST_CASE("hostile and broken YAML is refused with its line") {
  struct Case {
    std::string yaml;
    const char* line;
    ErrorCode code = ErrorCode::parse_error;
  };
  const Case cases[] = {
      {"a: &x 1\nb: *x\n", "1"},
      {"a: 1\nb: *x\n", "2"},
      {"a: &a [*a, *a]\n", "1"},
      {"x: 1\ny:\n  - &deep [1]\n", "3"},
      {"&root\na: 1\n", "1"},
      {"a: 1\n\na: 2\n", "3"},
      {"a: {b: 1, b: 2}\n", "1"},
      {"a: 1\n\"a\": 2\n", "2"},
      {"a: !!python/object:os.system x\n", "1"},
      {"a: !!str 1\n", "1"},
      {"- !local {x: 1}\n", "1"},
      {"a: 1\n---\nb: 2\n", "2"},
      {"? [a, b]\n: c\n", "1"},
      {"? {a: b}\n: c\n", "1"},
      {"~: 1\n", "1"},
      {"a: \"open\nb: 1\n", "3"},
      {"a: [1, 2\nb: 3\n", "2"},
      {"a: b: c\n", "1"},
      {"a:\n\t- 1\n", "2"},
      {"a: .inf\n", "1"},
      {"a: 1e999\n", "1"},
      {"a: \xff\xfe\n", "1"},
      {"ok: 1\na: \x04 b\n", "2"},
      {std::string("a\0b: 1\n", 7), "1"},
      {"a: \"\\ud800\"\n", "1"},
      {times("[", 33) + times("]", 33), "1", ErrorCode::too_large},
      {times("[", 100000), "1"},
      {times("- ", 100000), "1", ErrorCode::too_large},
      {times("? ", 100000), "1"},
      {times("{a: ", 100000), "1"},
      {"[" + times("1,", 20001) + "]", "1", ErrorCode::too_large},
  };
  for (const Case& item : cases) {
    CAPTURE(item.yaml.substr(0, 60));
    auto value = read_yaml(item.yaml, "config.yaml");
    REQUIRE_FALSE(value);
    CHECK(value.error().code == item.code);
    CHECK(value.error().data.at("line") == item.line);
    CHECK(value.error().data.at("file") == "config.yaml");
    CHECK(value.error().message.find("config.yaml, line " + std::string(item.line)) == 0);
    CHECK_FALSE(value.error().hint.empty());
  }
  auto large = read_yaml("a: " + std::string(kMaxYamlBytes, 'x'), "big");
  REQUIRE_FALSE(large);
  CHECK(large.error().code == ErrorCode::too_large);
}

TEST_CASE("what is just inside the limits is read") {
  CHECK(read_yaml(times("[", 32) + times("]", 32), "test"));
  CHECK(read_yaml("[" + times("1,", 19998) + "]", "test"));
  CHECK(read_yaml("a: " + std::string(kMaxYamlBytes - 4, 'x') + "\n", "test"));
}

TEST_CASE("no megabyte takes long to be refused or read") {
  const std::size_t megabyte = kMaxYamlBytes;
  const std::string hostile[] = {times("[", megabyte),
                                 times("- ", megabyte / 2),
                                 times("? ", megabyte / 2),
                                 times("a: ", megabyte / 3),
                                 "\"" + std::string(megabyte - 2, 'x'),
                                 times("&a ", megabyte / 3),
                                 times("#", megabyte),
                                 times("\n", megabyte),
                                 times(" ", megabyte),
                                 times("!", megabyte),
                                 times("{", megabyte),
                                 times("k:\n", megabyte / 3),
                                 times("'", megabyte),
                                 times("x\n", megabyte / 2),
                                 times("a,", megabyte / 2),
                                 times("%X\n", megabyte / 3),
                                 "|\n" + times(" x\n", megabyte / 3 - 2)};
  for (const std::string& text : hostile) {
    CAPTURE(text.substr(0, 12));
    const auto begin = std::chrono::steady_clock::now();
    auto value = read_yaml(text, "test");
    (void)value;
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  }
}

TEST_CASE("lines of keys are known by path") {
  YamlLines lines;
  auto value = read_yaml(
      "# head\nroles:\n  critic:\n    fallback: [a,\n      b]\n  \"q.x\": 1\nlist:\n"
      "  - name: x\n  - - 1\n    - 2\n",
      "config.yaml", &lines);
  REQUIRE(value);
  const YamlLines expected = {{"roles", 2},
                              {"roles.critic", 3},
                              {"roles.critic.fallback", 4},
                              {"roles.critic.fallback[0]", 4},
                              {"roles.critic.fallback[1]", 5},
                              {"roles.q.x", 6},
                              {"list", 7},
                              {"list[0]", 8},
                              {"list[0].name", 8},
                              {"list[1]", 9},
                              {"list[1][0]", 9},
                              {"list[1][1]", 10}};
  CHECK(lines == expected);
}
