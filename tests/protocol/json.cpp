#include "protocol/json.h"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace brainstorm {
namespace {

std::string nested(int depth) {
  const auto count = static_cast<std::size_t>(depth);
  return std::string(count, '[') + std::string(count, ']');
}

TEST_CASE("valid JSON is read, and printed again") {
  struct Row {
    const char* input;
    const char* dumped;
  };
  const std::vector<Row> rows = {
      {"null", "null"},
      {" {\"a\" : [1, -2, 2.5, true, \"x\"], \"b\" : {\"c\": {}, \"d\": []}} ",
       R"({"a":[1,-2,2.5,true,"x"],"b":{"c":{},"d":[]}})"},
      {R"({"a":1,"a":{"b":2}})", R"({"a":{"b":2}})"},
      {"\xEF\xBB\xBF{}", "{}"},
      {R"("\u003c\/\"\\\b\f\n\r\t")", R"("</\"\\\b\f\n\r\t")"},
      {R"("\u982d\u8133")", "\"頭脳\""},
      {R"("\ud83e\udd8a")", "\"🦊\""},
      {R"("\uD83E\uDD8A")", "\"🦊\""},
      {R"("a\u0000b")", R"("a\u0000b")"},
      // Lone halves, at the end, in the wrong order, twice, before a pair.
      {R"("\ud83e")", "\"\uFFFD\""},
      {R"("\udd8a")", "\"\uFFFD\""},
      {R"("\udd8a\ud83e")", "\"\uFFFD\uFFFD\""},
      {R"("\ud83e\ud83e\udd8a")", "\"\uFFFD🦊\""},
      {R"("\ud83ex")", "\"\uFFFDx\""},
      {R"("\ud83e\n")", "\"\uFFFD\\n\""},
      {R"({"\ud83e":1})", "{\"\uFFFD\":1}"},
      // An escaped backslash before a u is no escape.
      {R"("\\ud83e")", R"("\\ud83e")"},
      {R"("\\\ud83e")", "\"\\\\\uFFFD\""},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", "1.8446744073709552e+19"},
      {"-9223372036854775809", "-9.223372036854775808e+18"},
      {"1e-400", "0.0"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.input);
    const Result<Json> value = json::parse(row.input);
    REQUIRE(value.has_value());
    const Result<Json> expected = json::parse(row.dumped);
    REQUIRE(expected.has_value());
    CHECK(*value == *expected);
    if (!value->is_number_float()) CHECK(json::dump(*value) == row.dumped);
  }
}

TEST_CASE("anything else is parse_error with the line, and quotes nothing") {
  struct Row {
    std::string input;
    const char* line;
  };
  const std::vector<Row> rows = {
      {"", "1"},
      {" ", "1"},
      {"{", "1"},
      {"{\"a\": 1,}", "1"},
      {"{} x", "1"},
      {"{}{}", "1"},
      {"{\n\"a\": sk-secret\n}", "2"},
      {"[1,\n2,\n\n'a']", "4"},
      {"[NaN]", "1"},
      {"[Infinity]", "1"},
      {"1e400", "1"},
      {"-1e400", "1"},
      {"[01]", "1"},
      {"// no\n{}", "1"},
      {"\"\\x\"", "1"},
      {"\"\\ud83\"", "1"},
      {"\"\\ud83e\\u12\"", "1"},
      {"\"\n\"", "1"},
      {"\"\xFF\"", "1"},
      {"\"\xC0\xAF\"", "1"},
      {"\"\xED\xA0\x80\"", "1"},
      {"\"\xE5\xA4", "1"},
      {"\"\xE5\xA4\"", "1"},
      {std::string("{}\0", 3), "1"},
      {std::string("{}\0garbage", 10), "1"},
      {std::string("\"a\0b\"", 5), "1"},
      {"\\", "1"},
      {"\\u", "1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.input);
    const Result<Json> value = json::parse(row.input);
    REQUIRE_FALSE(value.has_value());
    CHECK(value.error().code == ErrorCode::parse_error);
    CHECK_FALSE(value.error().hint.empty());
    CHECK(value.error().message.find("secret") == std::string::npos);
    REQUIRE(value.error().data.count("line") == 1);
    CHECK(value.error().data.at("line") == row.line);
  }
}

TEST_CASE("nesting is bounded while parsing") {
  CHECK(json::parse(nested(json::kMaxDepth)).has_value());
  CHECK_FALSE(json::parse(nested(json::kMaxDepth + 1)).has_value());
  const Result<Json> deep = json::parse(nested(200'000));
  REQUIRE_FALSE(deep.has_value());
  CHECK(deep.error().code == ErrorCode::parse_error);
  CHECK(deep.error().message.find("128") != std::string::npos);
  // Width is not depth.
  std::string wide = "[";
  for (int i = 0; i < 10'000; ++i) wide += "{},";
  CHECK(json::parse(wide + "[]]").has_value());
}

TEST_CASE("dump never throws and stays on one line") {
  CHECK(json::dump(Json("a\xFF\xFE"
                        "b")) == "\"a\uFFFD\uFFFDb\"");
  CHECK(json::dump(Json("a\xE5\xA4")) == "\"a\uFFFD\"");
  CHECK(json::dump(Json("a\nb")) == "\"a\\nb\"");
  CHECK(json::dump(Json(std::numeric_limits<double>::quiet_NaN())) == "null");
  CHECK(json::pretty(Json::object({{"a", 1}})) == "{\n  \"a\": 1\n}");
}

/// An object with one member of every sort.
Json sample() {
  Result<Json> parsed = json::parse(
      R"({"text":"x","int":-5,"whole":7.0,"half":1.5,"big":9223372036854775808,"huge":1e300,)"
      R"("yes":true,"none":null,"list":["a","b"],"mixed":["a",1],"object":{}})");
  REQUIRE(parsed.has_value());
  return *std::move(parsed);
}

/// "ok", or the field that the error names.
template <class T>
std::string outcome(const Result<T>& result) {
  if (result) return "ok";
  CHECK(result.error().code == ErrorCode::invalid_argument);
  CHECK_FALSE(result.error().hint.empty());
  const auto field = result.error().data.find("field");
  REQUIRE(field != result.error().data.end());
  CHECK(result.error().message.find(field->second) != std::string::npos);
  return field->second;
}

TEST_CASE("getters check presence, type and range") {
  const Json object = sample();
  struct Row {
    const char* key;
    bool text, integer, boolean, number, strings;
  };
  const std::vector<Row> rows = {
      {"text", true, false, false, false, false},    {"int", false, true, false, true, false},
      {"whole", false, true, false, true, false},    {"half", false, false, false, true, false},
      {"big", false, false, false, true, false},     {"huge", false, false, false, true, false},
      {"yes", false, false, true, false, false},     {"none", false, false, false, false, false},
      {"list", false, false, false, false, true},    {"object", false, false, false, false, false},
      {"absent", false, false, false, false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.key);
    const auto expected = [&](bool ok) { return ok ? "ok" : std::string("params.") + row.key; };
    CHECK(outcome(json::string_at(object, row.key, "params")) == expected(row.text));
    CHECK(outcome(json::integer_at(object, row.key, "params")) == expected(row.integer));
    CHECK(outcome(json::bool_at(object, row.key, "params")) == expected(row.boolean));
    CHECK(outcome(json::number_at(object, row.key, "params")) == expected(row.number));
    CHECK(outcome(json::strings_at(object, row.key, "params")) == expected(row.strings));
    const bool absent = json::find(object, row.key) == nullptr;
    CHECK(outcome(json::maybe_string(object, row.key, "params")) == expected(row.text || absent));
    CHECK(outcome(json::maybe_integer(object, row.key, "params")) ==
          expected(row.integer || absent));
    CHECK(outcome(json::maybe_bool(object, row.key, "params")) == expected(row.boolean || absent));
    CHECK(outcome(json::maybe_number(object, row.key, "params")) == expected(row.number || absent));
  }
}

TEST_CASE("getters return the values themselves") {
  const Json object = sample();
  CHECK(json::string_at(object, "text", "").value() == "x");
  CHECK(json::integer_at(object, "int", "").value() == -5);
  CHECK(json::integer_at(object, "whole", "").value() == 7);
  CHECK(json::number_at(object, "half", "").value() == 1.5);
  CHECK(json::bool_at(object, "yes", "").value());
  CHECK(json::strings_at(object, "list", "").value() == std::vector<std::string>{"a", "b"});
  CHECK(json::maybe_integer(object, "int", "").value() == -5);
  CHECK(json::maybe_string(object, "none", "").value() == std::nullopt);
  CHECK(outcome(json::strings_at(object, "mixed", "p")) == "p.mixed[1]");
  CHECK(outcome(json::string_at(object, "absent", "")) == "absent");
}

TEST_CASE("getters stand any value in the place of the object") {
  for (const char* text : {"null", "[]", "[1]", "\"x\"", "5", "true"}) {
    CAPTURE(text);
    const Json value = json::parse(text).value();
    CHECK(json::find(value, "a") == nullptr);
    CHECK(outcome(json::string_at(value, "a", "p")) == "p.a");
    CHECK(json::text_or(value, "a", "x") == "x");
  }
}

TEST_CASE("lenient getters fall back on absent and odd members") {
  const Json object = sample();
  CHECK(json::text_or(object, "text", "f") == "x");
  CHECK(json::text_or(object, "int", "f") == "f");
  CHECK(json::text_or(object, "absent").empty());
  CHECK(json::integer_or(object, "int", 9) == -5);
  CHECK(json::integer_or(object, "half", 9) == 9);
  CHECK(json::integer_or(object, "none", 9) == 9);
  CHECK(json::number_or(object, "half", 9) == 1.5);
  CHECK(json::number_or(object, "text", 9) == 9);
  CHECK(json::bool_or(object, "yes", false));
  CHECK(json::bool_or(object, "int", true));
}

}  // namespace
}  // namespace brainstorm
