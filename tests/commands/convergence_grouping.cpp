#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "commands/convergence/grouping.h"
#include "protocol/text.h"

using namespace brainstorm;

namespace {

Insight says(const std::string& archetype, const std::string& text, int number = 0) {
  Insight insight;
  insight.archetype = archetype;
  insight.id = archetype + (number == 0 ? "_insight" : "_further_" + std::to_string(number));
  insight.text = text;
  insight.confidence = 3;
  return insight;
}

std::string ids(const std::vector<Theme>& themes) {
  std::vector<std::string> groups;
  for (const Theme& theme : themes) groups.push_back(text::join(theme.insight_ids, "+"));
  return text::join(groups, " ");
}

}  // namespace

TEST_CASE("grouping: same words come together, others stay apart") {
  const std::vector<Insight> insights = {
      says("optimist", "A generator gives precise error messages"),
      says("critic", "Rollback of the migration is untested"),
      says("analyst", "Error messages of a generator are precise"),
      says("innovator", "Ship grammars as data"),
  };
  CHECK(ids(group_lexically(insights)) ==
        "optimist_insight+analyst_insight critic_insight innovator_insight");
  CHECK(ids(group_lexically({})) == "");
  CHECK(ids(group_lexically({insights[1]})) == "critic_insight");
}

TEST_CASE("grouping: the threshold itself joins nothing") {
  // 3 shared of 10 terms = 0.3 exactly; 3 of 9 is above it.
  const auto a = says("optimist", "alpha beta gamma delta epsilon zeta");
  const auto exact = says("critic", "alpha beta gamma eta theta iota kappa");
  const auto above = says("critic", "alpha beta gamma eta theta iota");
  CHECK(group_lexically({a, exact}).size() == 2);
  CHECK(group_lexically({a, above}).size() == 1);
}

TEST_CASE("grouping: a chain of half-alike insights does not join its ends") {
  // Each is 1/3 similar to its neighbour and 0 to the next but one.
  const std::vector<Insight> chain = {
      says("optimist", "alpha beta"),
      says("critic", "beta gamma"),
      says("analyst", "gamma delta"),
  };
  CHECK(ids(group_lexically(chain)) == "optimist_insight+critic_insight analyst_insight");
}

TEST_CASE("grouping: one archetype's insights stay apart unless nearly the same words") {
  const auto near = says("critic", "cache invalidation breaks under load during deploys", 1);
  const auto nearer = says("critic", "cache invalidation breaks under load", 1);
  const auto key = says("critic", "cache invalidation breaks under heavy load");
  CHECK(group_lexically({key, near}).size() == 2);    // 4 of 6
  CHECK(group_lexically({key, nearer}).size() == 1);  // 4 of 5
  // A third archetype between them does not smuggle them into one theme.
  const auto other = says("analyst", "cache invalidation breaks under load");
  const auto themes = group_lexically({key, near, other});
  CHECK(ids(themes) == "critic_insight+analyst_insight critic_further_1");
}

TEST_CASE("grouping: what the question says is no common ground") {
  const std::vector<Insight> insights = {
      says("optimist", "Replacing the parser by a generator opens new languages"),
      says("critic", "Replacing the parser by a generator hides recovery"),
  };
  CHECK(group_lexically(insights).size() == 1);
  CHECK(group_lexically(insights, "Should we replace the parser by a generator?").size() == 2);
  // An answer of nothing but the question's words is still compared.
  const std::vector<Insight> echoes = {says("optimist", "Replace the parser"),
                                       says("critic", "Replace the parser!")};
  CHECK(group_lexically(echoes, "Replace the parser?").size() == 1);
}

TEST_CASE("grouping: every id is in exactly one theme, deterministically, titles are one line") {
  const char* const topics[] = {"cache invalidation", "parser error recovery", "build times in ci",
                                "memory use of sessions", "naming of commands"};
  const char* const who[] = {"optimist", "critic", "analyst", "innovator", "pragmatist"};
  std::vector<Insight> insights;
  for (int i = 0; i < 40; ++i) {
    insights.push_back(says(who[i % 5],
                            std::string("Point on ") + topics[(i * 7 / 5) % 5] + "\nwith line " +
                                std::string(static_cast<std::size_t>(i * 5), 'x'),
                            i / 5));
  }
  const auto themes = group_lexically(insights);
  std::multiset<std::string> seen;
  std::set<std::string> theme_ids;
  for (const Theme& theme : themes) {
    seen.insert(theme.insight_ids.begin(), theme.insight_ids.end());
    theme_ids.insert(theme.id);
    CHECK(theme.title.find('\n') == std::string::npos);
    CHECK(text::code_points(theme.title) <= 100);
  }
  CHECK(theme_ids.size() == themes.size());
  CHECK(seen.size() == insights.size());
  CHECK(std::set<std::string>(seen.begin(), seen.end()).size() == insights.size());
  CHECK(group_lexically(insights) == themes);
}

TEST_CASE("grouping: the title is the insight nearest to all others") {
  const std::vector<Insight> insights = {
      says("optimist", "Cache reads cost money and patience. More."),
      says("critic", "Cache reads cost money."),
      says("analyst", "Cache reads cost money, latency."),
  };
  const auto themes = group_lexically(insights);
  REQUIRE(themes.size() == 1);
  CHECK(themes[0].title == "Cache reads cost money.");
}

TEST_CASE("grouping: mean similarity over pairs") {
  CHECK(mean_similarity({}) == 0);
  CHECK(mean_similarity({says("critic", "alpha")}) == 0);
  const std::vector<Insight> three = {says("optimist", "alpha"), says("critic", "alpha"),
                                      says("analyst", "beta")};
  CHECK(mean_similarity(three) == doctest::Approx(1.0 / 3));
}
