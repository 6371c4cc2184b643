#pragma once
// The numbers of a synthesis: scores, level of convergence, diagnosis, diversity. No judgement of a
// model enters here.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/convergence/grouping.h"

namespace brainstorm {

/// How many perspectives are complete, of how many planned.
struct Panel {
  int active = 0;
  int planned = 5;
};

struct ScoredTheme {
  Theme theme;
  std::vector<std::string> archetypes;  // distinct, in the order of the insights
  int backed = 0;                       // of them research-backed
  double average = 0;                   // mean claimed confidence of the archetypes
  double score = 0;                     // average × multiplier × (1 + 0.1 × backed)
  bool convergent() const { return archetypes.size() >= 2; }
};

/// The factor for `archetypes` distinct voices on one theme.
double convergence_multiplier(int archetypes, Panel panel);

ScoredTheme score_theme(const Theme& theme, const std::vector<Insight>& insights, Panel panel);

/// Scored themes in the order in which they are shown.
struct RankedThemes {
  std::vector<ScoredTheme> convergent;  // by score, highest first
  std::vector<ScoredTheme> divergent;   // one archetype each; by confidence, highest first
};
RankedThemes rank_themes(const std::vector<Theme>& themes, const std::vector<Insight>& insights,
                         Panel panel);

enum class ConvergenceLevel { none, low, medium, high };
std::string_view to_string(ConvergenceLevel level);
ConvergenceLevel convergence_level(const std::vector<ScoredTheme>& convergent, Panel panel);

/// Why nothing converged: `complex` when all were confident, `unclear_prompt` when none was,
/// `normal` otherwise. `none` while anything converged.
enum class Diagnosis { none, complex, unclear_prompt, normal };
std::string_view to_string(Diagnosis diagnosis);
/// A sentence for people; empty for `none`.
std::string_view explain(Diagnosis diagnosis);

struct Portfolio {
  bool options = false;  // fewer than two convergent themes: shown as a portfolio of options
  Diagnosis diagnosis = Diagnosis::none;
};
/// `confidences`: one per complete perspective. `worksheets`: they were made without a model, whose
/// fixed low confidence says nothing about the prompt.
Portfolio portfolio(const RankedThemes& ranked, const std::vector<int>& confidences,
                    bool worksheets = false);

struct Diversity {
  double mean_similarity = 0;  // over pairs of archetypes, each with all its insights; 0 to 1
  int groups = 0;              // themes
  std::vector<std::pair<std::string, double>> uniqueness;  // archetype → 1 − its nearest similarity
  bool collapsed = false;      // too alike to count as independent voices
  std::string most_redundant;  // archetype with the least uniqueness, when collapsed
};
/// Collapsed: fewer than three groups from five or more archetypes, or a mean similarity over
/// `threshold` (Settings::collapse).
Diversity diversity(const std::vector<Insight>& insights, const std::vector<Theme>& themes,
                    std::string_view question, double threshold);

}  // namespace brainstorm
