#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "commands/convergence/scoring.h"
#include "protocol/text.h"

using namespace brainstorm;

namespace {

const char* const kNames[] = {"optimist", "critic", "analyst", "innovator", "pragmatist"};

struct Sample {
  std::vector<Insight> insights;
  Theme theme;
};

/// One theme with one insight of each of the first archetypes.
Sample sample(const std::vector<int>& confidences, int backed) {
  Sample made;
  for (std::size_t i = 0; i < confidences.size(); ++i) {
    Insight insight;
    insight.archetype = kNames[i];
    insight.id = insight.archetype + "_insight";
    insight.text = "text";
    insight.confidence = confidences[i];
    insight.research_backed = static_cast<int>(i) < backed;
    made.theme.insight_ids.push_back(insight.id);
    made.insights.push_back(insight);
  }
  made.theme.id = "theme_1";
  return made;
}

ScoredTheme themed(std::vector<std::string> archetypes, double average, double score = 1) {
  ScoredTheme theme;
  theme.archetypes = std::move(archetypes);
  theme.average = average;
  theme.score = score;
  return theme;
}

}  // namespace

TEST_CASE("scoring: the documented vectors") {
  struct {
    std::vector<int> confidences;
    int backed;
    Panel panel;
    double expected;
  } const cases[] = {
      {{4, 4}, 2, {5, 5}, 7.2},
      {{4, 4}, 2, {4, 5}, 6.24},
      {{5}, 1, {5, 5}, 5.5},
      {{4}, 1, {5, 5}, 4.4},
      {{3}, 0, {5, 5}, 3.0},
      {{5, 5, 5}, 3, {5, 5}, 13.0},
      {{5, 5, 5, 5, 5}, 5, {5, 5}, 18.75},
      {{5, 5, 5, 5}, 4, {4, 5}, 14.0},
      // Both rules for panels that are not whole.
      {{5, 5, 5, 5}, 0, {5, 5}, 12.5},
      {{5, 5, 5}, 0, {3, 3}, 10.0},
      {{4, 4}, 0, {3, 3}, 5.2},
      {{4, 4}, 0, {7, 8}, 5.2},
      {{2, 4, 5}, 0, {8, 8}, 7.333333},
      {{1, 2}, 0, {5, 5}, 2.25},
  };
  for (const auto& c : cases) {
    CAPTURE(c.expected);
    const Sample s = sample(c.confidences, c.backed);
    CHECK(score_theme(s.theme, s.insights, c.panel).score == doctest::Approx(c.expected));
  }
}

TEST_CASE("scoring: an archetype counts once, backed if any of its insights is") {
  Sample s = sample({4, 2}, 0);
  Insight further = s.insights[0];
  further.id = "optimist_further_1";
  further.research_backed = true;
  s.insights.push_back(further);
  s.theme.insight_ids.push_back(further.id);
  const auto scored = score_theme(s.theme, s.insights, {5, 5});
  CHECK(scored.archetypes == std::vector<std::string>{"optimist", "critic"});
  CHECK(scored.backed == 1);
  CHECK(scored.average == 3);
  CHECK(scored.score == doctest::Approx(3 * 1.5 * 1.1));
}

TEST_CASE("scoring: unknown ids weigh nothing") {
  Sample s = sample({4}, 0);
  s.theme.insight_ids.push_back("nobody_insight");
  CHECK(score_theme(s.theme, s.insights, {5, 5}).score == 4);
  Theme empty;
  empty.insight_ids = {"nobody_insight"};
  CHECK(score_theme(empty, s.insights, {5, 5}).score == 0);
  const auto ranked = rank_themes({empty}, s.insights, {5, 5});
  CHECK(ranked.convergent.empty());
  CHECK(ranked.divergent.empty());
}

TEST_CASE("scoring: convergent by score, divergent by confidence, ties in their order") {
  const Sample s = sample({1, 5, 2, 5, 4}, 0);
  const auto theme = [&](const char* id, std::vector<std::string> ids) {
    return Theme{id, "", std::move(ids)};
  };
  const auto ranked = rank_themes(
      {theme("low", {"optimist_insight", "analyst_insight"}), theme("weak", {"optimist_insight"}),
       theme("first", {"critic_insight"}), theme("second", {"innovator_insight"}),
       theme("high", {"critic_insight", "pragmatist_insight"})},
      s.insights, {5, 5});
  std::vector<std::string> order;
  for (const auto& one : ranked.convergent) order.push_back(one.theme.id);
  order.emplace_back("|");
  for (const auto& one : ranked.divergent) order.push_back(one.theme.id);
  CHECK(text::join(order, " ") == "high low | first second weak");
}

TEST_CASE("scoring: level of convergence") {
  struct {
    std::vector<ScoredTheme> convergent;
    Panel panel;
    ConvergenceLevel expected;
  } const cases[] = {
      {{}, {5, 5}, ConvergenceLevel::none},
      {{themed({"a", "b"}, 5)}, {5, 5}, ConvergenceLevel::low},
      {{themed({"a", "b"}, 5)}, {2, 5}, ConvergenceLevel::low},
      {{themed({"a", "b", "c"}, 4)}, {5, 5}, ConvergenceLevel::medium},
      {{themed({"a", "b", "c", "d"}, 1)}, {5, 5}, ConvergenceLevel::high},
      {{themed({"a", "b"}, 3), themed({"c", "d"}, 3)}, {5, 5}, ConvergenceLevel::high},
      {{themed({"a", "b"}, 3), themed({"c", "d"}, 2.9)}, {5, 5}, ConvergenceLevel::medium},
      {{themed({"a", "b"}, 3), themed({"a", "b"}, 4)}, {5, 5}, ConvergenceLevel::medium},
      {{themed({"a", "b", "c"}, 3)}, {3, 5}, ConvergenceLevel::high},
      {{themed({"a", "b", "c"}, 2)}, {3, 5}, ConvergenceLevel::medium},
  };
  for (const auto& c : cases) {
    CAPTURE(to_string(c.expected));
    CHECK(convergence_level(c.convergent, c.panel) == c.expected);
  }
  CHECK(to_string(ConvergenceLevel::high) == "high");
}

TEST_CASE("scoring: portfolio framing and its diagnosis") {
  const auto convergent = [](std::size_t count) {
    RankedThemes ranked;
    ranked.convergent.resize(count, themed({"a", "b"}, 3));
    return ranked;
  };
  struct {
    std::size_t themes;
    std::vector<int> confidences;
    bool worksheets;
    bool options;
    Diagnosis expected;
  } const cases[] = {
      {2, {5, 5}, false, false, Diagnosis::none},
      {1, {5, 5}, false, true, Diagnosis::none},
      {0, {4, 5, 4}, false, true, Diagnosis::complex},
      {0, {1, 2, 2}, false, true, Diagnosis::unclear_prompt},
      {0, {1, 2, 2}, true, true, Diagnosis::normal},
      {0, {2, 3, 4}, false, true, Diagnosis::normal},
      {0, {}, false, true, Diagnosis::normal},
  };
  for (const auto& c : cases) {
    CAPTURE(to_string(c.expected));
    const auto found = portfolio(convergent(c.themes), c.confidences, c.worksheets);
    CHECK(found.options == c.options);
    CHECK(found.diagnosis == c.expected);
    CHECK(explain(found.diagnosis).empty() == (c.expected == Diagnosis::none));
  }
}

TEST_CASE("scoring: diversity tells voices that collapsed") {
  const auto say = [](const char* who, const char* text) {
    Insight insight;
    insight.archetype = who;
    insight.id = std::string(who) + "_insight";
    insight.text = text;
    return insight;
  };
  const std::vector<Insight> apart = {say("optimist", "alpha beta"), say("critic", "alpha gamma"),
                                      say("analyst", "delta")};
  auto found = diversity(apart, group_lexically(apart), "", 0.6);
  CHECK(found.groups == 2);
  CHECK(found.mean_similarity == doctest::Approx(1.0 / 9));
  REQUIRE(found.uniqueness.size() == 3);
  CHECK(found.uniqueness[0].second == doctest::Approx(2.0 / 3));
  CHECK(found.uniqueness[2] == std::pair<std::string, double>("analyst", 1.0));
  CHECK_FALSE(found.collapsed);
  CHECK(found.most_redundant.empty());

  const std::vector<Insight> alike = {say("optimist", "delta"), say("critic", "alpha gamma"),
                                      say("analyst", "alpha gamma")};
  found = diversity(alike, group_lexically(alike), "", 0.3);
  CHECK(found.collapsed);
  CHECK(found.most_redundant == "critic");
  CHECK_FALSE(diversity(alike, group_lexically(alike), "", 0.6).collapsed);

  std::vector<Insight> five;
  for (const char* who : kNames) five.push_back(say(who, who[0] < 'd' ? "alpha" : "beta"));
  found = diversity(five, group_lexically(five), "", 0.9);
  CHECK(found.groups == 2);
  CHECK(found.collapsed);  // five agents said two things
  CHECK_FALSE(diversity({}, {}, "", 0.6).collapsed);
}
