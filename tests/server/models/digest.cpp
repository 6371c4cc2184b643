#include "server/models/digest.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "commands/prompts/data.h"
#include "protocol/text.h"

using namespace brainstorm;

namespace {

Json insight(const char* archetype, std::vector<std::string> evidence) {
  return {{"id", std::string(archetype) + "_insight"},
          {"archetype", archetype},
          {"text", "t"},
          {"confidence", 2},
          {"evidence", evidence}};
}

Json written(const Json* data) {
  const auto sheet =
      json::parse(offline::synthesis_sheet("Should we replace the parser by a generator?", data));
  REQUIRE(sheet.has_value());
  return *sheet;
}

}  // namespace

TEST_CASE("synthesis sheet: names what most lenses cite, asks what stays open") {
  const Json data = {{"insights",
                      {insight("optimist", {"`src/a.cpp:1`: `x`", "3 files of 9"}),
                       insight("critic", {"`src/b.cpp:20`: `y`", "`src/c.cpp:3`: `z`"}),
                       insight("analyst", {"`src/b.cpp:7`: `w`", "no `code` here"})}},
                     {"themes", {{{"title", "one"}, {"insight_ids", {"critic_insight"}}}}}};
  const Json sheet = written(&data);
  CHECK(sheet.size() == 3);  // no conflicts: they were not analysed
  const auto summary = sheet.at("summary").get<std::string>();
  CHECK(summary.find("worksheet") != std::string::npos);
  CHECK(summary.find("3 perspectives on parser and generator left 3 insights in 1 theme.") !=
        std::string::npos);
  CHECK(summary.find("`src/b.cpp:20`, `src/a.cpp:1` and `src/c.cpp:3`") != std::string::npos);
  REQUIRE(sheet.at("open_questions").size() == 3);
  CHECK(sheet.at("open_questions").at(1) == "What could fail, with parser and generator in view?");
  CHECK(sheet.at("next_steps").at(0).get<std::string>().rfind("Read `src/b.cpp:20` ", 0) == 0);
  const auto last = sheet.at("next_steps").back().get<std::string>();
  CHECK(last.find("brainstorm-ls models") != std::string::npos);
  // Its own words lead nowhere.
  const auto shipped = json::parse(data::words);
  const std::string all = text::lower_ascii(json::dump(sheet));
  for (const Json& word : shipped->at("leading")) {
    CHECK(all.find(word.get<std::string>()) == std::string::npos);
  }
}

TEST_CASE("synthesis sheet: odd material makes a thin sheet, never a crash") {
  const Json cases[] = {
      Json(),
      Json("text"),
      Json::array({1, 2}),
      {{"insights", 3}, {"themes", "x"}},
      {{"insights", {1, nullptr, {{"archetype", 7}, {"evidence", {1, nullptr, "`:`"}}}}}},
      {{"insights", {insight("critic", {"`", "``", "`a:`", "`a:b`", "`:9`", "`x<y>:9`"})}}},
  };
  for (const Json& data : cases) {
    const Json sheet = written(&data);
    CHECK(sheet.at("summary").get<std::string>().find("cite no place") != std::string::npos);
    CHECK(sheet.at("open_questions").is_array());
    CHECK(sheet.at("next_steps").size() == 3);
  }
  CHECK(written(nullptr).contains("summary"));
}
