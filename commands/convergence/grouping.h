#pragma once
// Which insights say the same thing, told from their words alone: the grouping used without a
// model, and the fallback when a model's grouping cannot be used.

#include <string>
#include <string_view>
#include <vector>

namespace brainstorm {

/// One statement of one perspective.
struct Insight {
  std::string id;         // "critic_insight", "critic_further_1"
  std::string archetype;  // "critic"
  std::string text;
  int confidence = 0;  // 1 to 5, as its perspective claims
  bool research_backed = false;
  std::vector<std::string> evidence;
};

/// Insights that belong together; each id is in exactly one theme.
struct Theme {
  std::string id;     // "theme_1", … in the order of first appearance
  std::string title;  // one line, ≤ 100 code points: the insight nearest to all others of the theme
  std::vector<std::string> insight_ids;  // in the order of the insights
  bool operator==(const Theme&) const = default;
};

/// Two groups are joined while the mean similarity between their members is above this.
inline constexpr double kGroupingThreshold = 0.3;
/// Insights of one archetype are distinct thoughts unless nearly the same words.
inline constexpr double kSameArchetypeThreshold = 0.8;

/// Average linkage over keyword Jaccard. Deterministic; ties go to the earlier insights. Words of
/// `question` are left out of the comparison: every answer repeats them.
std::vector<Theme> group_lexically(const std::vector<Insight>& insights,
                                   std::string_view question = {});

/// The comparison behind the grouping: similarity of each insight with each, in their order.
std::vector<std::vector<double>> pairwise_similarity(const std::vector<Insight>& insights,
                                                     std::string_view question = {});

/// Mean similarity over all pairs, 0 with fewer than two.
double mean_similarity(const std::vector<Insight>& insights, std::string_view question = {});

}  // namespace brainstorm
