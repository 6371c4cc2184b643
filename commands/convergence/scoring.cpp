#include "commands/convergence/scoring.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace brainstorm {
namespace {

/// An archetype's stake in a theme: counted once however many of its insights are there.
struct Voice {
  std::string archetype;
  int confidence = 0;
  bool backed = false;
};

std::vector<Voice> voices(const Theme& theme, const std::vector<Insight>& insights) {
  std::vector<Voice> out;
  for (const Insight& insight : insights) {
    const auto& ids = theme.insight_ids;
    if (std::find(ids.begin(), ids.end(), insight.id) == ids.end()) continue;
    const auto known = std::find_if(out.begin(), out.end(), [&](const Voice& voice) {
      return voice.archetype == insight.archetype;
    });
    if (known == out.end()) {
      out.push_back({insight.archetype, insight.confidence, insight.research_backed});
    } else {
      known->backed = known->backed || insight.research_backed;
    }
  }
  return out;
}

/// At least 80 % of the active perspectives stand in themes whose confidence is 3 or more.
bool broad(const std::vector<ScoredTheme>& convergent, Panel panel) {
  std::set<std::string> joined;
  for (const ScoredTheme& theme : convergent) {
    if (theme.average >= 3) joined.insert(theme.archetypes.begin(), theme.archetypes.end());
  }
  return panel.active > 0 && static_cast<int>(joined.size()) * 5 >= panel.active * 4;
}

/// What one archetype says, as one text.
std::vector<Insight> by_archetype(const std::vector<Insight>& insights) {
  std::vector<Insight> out;
  for (const Insight& insight : insights) {
    const auto known = std::find_if(out.begin(), out.end(), [&](const Insight& one) {
      return one.archetype == insight.archetype;
    });
    if (known == out.end()) {
      out.push_back(insight);
    } else {
      known->text += "\n\n" + insight.text;
    }
  }
  return out;
}

}  // namespace

double convergence_multiplier(int archetypes, Panel panel) {
  if (panel.active < panel.planned || panel.active < 5) {
    if (archetypes >= 3) return 2.0;
    return archetypes == 2 ? 1.3 : 1.0;
  }
  if (archetypes >= 4) return 2.5;
  if (archetypes == 3) return 2.0;
  return archetypes == 2 ? 1.5 : 1.0;
}

ScoredTheme score_theme(const Theme& theme, const std::vector<Insight>& insights, Panel panel) {
  ScoredTheme scored;
  scored.theme = theme;
  double sum = 0;
  for (const Voice& voice : voices(theme, insights)) {
    scored.archetypes.push_back(voice.archetype);
    scored.backed += voice.backed ? 1 : 0;
    sum += voice.confidence;
  }
  if (scored.archetypes.empty()) return scored;
  const auto count = static_cast<int>(scored.archetypes.size());
  scored.average = sum / count;
  const double bonus = 1.0 + 0.1 * scored.backed;
  const double score = scored.average * convergence_multiplier(count, panel) * bonus;
  // Without the last bits of binary fractions: equal scores are equal, and 7.2 is written as 7.2.
  scored.score = std::round(score * 1e6) / 1e6;
  return scored;
}

RankedThemes rank_themes(const std::vector<Theme>& themes, const std::vector<Insight>& insights,
                         Panel panel) {
  RankedThemes ranked;
  for (const Theme& theme : themes) {
    ScoredTheme scored = score_theme(theme, insights, panel);
    if (scored.archetypes.empty()) continue;
    auto& list = scored.convergent() ? ranked.convergent : ranked.divergent;
    list.push_back(std::move(scored));
  }
  std::stable_sort(ranked.convergent.begin(), ranked.convergent.end(),
                   [](const ScoredTheme& a, const ScoredTheme& b) { return a.score > b.score; });
  std::stable_sort(
      ranked.divergent.begin(), ranked.divergent.end(),
      [](const ScoredTheme& a, const ScoredTheme& b) { return a.average > b.average; });
  return ranked;
}

std::string_view to_string(ConvergenceLevel level) {
  switch (level) {
    case ConvergenceLevel::none:
      return "none";
    case ConvergenceLevel::low:
      return "low";
    case ConvergenceLevel::medium:
      return "medium";
    case ConvergenceLevel::high:
      return "high";
  }
  return "none";
}

ConvergenceLevel convergence_level(const std::vector<ScoredTheme>& convergent, Panel panel) {
  if (convergent.empty()) return ConvergenceLevel::none;
  if (convergent.size() == 1 && convergent[0].archetypes.size() == 2) return ConvergenceLevel::low;
  for (const ScoredTheme& theme : convergent) {
    if (theme.archetypes.size() >= 4) return ConvergenceLevel::high;
  }
  return broad(convergent, panel) ? ConvergenceLevel::high : ConvergenceLevel::medium;
}

std::string_view to_string(Diagnosis diagnosis) {
  switch (diagnosis) {
    case Diagnosis::none:
      return "none";
    case Diagnosis::complex:
      return "complex";
    case Diagnosis::unclear_prompt:
      return "unclear_prompt";
    case Diagnosis::normal:
      return "normal";
  }
  return "none";
}

std::string_view explain(Diagnosis diagnosis) {
  switch (diagnosis) {
    case Diagnosis::none:
      return "";
    case Diagnosis::complex:
      return "Every perspective is confident and none agrees with another: the question is "
             "genuinely complex.";
    case Diagnosis::unclear_prompt:
      return "No perspective is confident: the question may need refinement.";
    case Diagnosis::normal:
      return "The perspectives went different ways, as independent views often do.";
  }
  return "";
}

Portfolio portfolio(const RankedThemes& ranked, const std::vector<int>& confidences,
                    bool worksheets) {
  Portfolio found;
  found.options = ranked.convergent.size() < 2;
  if (!ranked.convergent.empty()) return found;
  const auto all = [&](auto test) {
    return !confidences.empty() && std::all_of(confidences.begin(), confidences.end(), test);
  };
  found.diagnosis = Diagnosis::normal;
  if (all([](int confidence) { return confidence >= 4; })) found.diagnosis = Diagnosis::complex;
  if (!worksheets && all([](int confidence) { return confidence <= 2; })) {
    found.diagnosis = Diagnosis::unclear_prompt;
  }
  return found;
}

Diversity diversity(const std::vector<Insight>& insights, const std::vector<Theme>& themes,
                    std::string_view question, double threshold) {
  Diversity found;
  const auto archetypes = by_archetype(insights);
  const auto similar = pairwise_similarity(archetypes, question);
  found.groups = static_cast<int>(themes.size());
  found.mean_similarity = mean_similarity(archetypes, question);
  double least = 2;
  for (std::size_t i = 0; i < archetypes.size(); ++i) {
    double nearest = 0;
    for (std::size_t k = 0; k < archetypes.size(); ++k) {
      if (k != i) nearest = std::max(nearest, similar[i][k]);
    }
    found.uniqueness.emplace_back(archetypes[i].archetype, 1 - nearest);
    if (1 - nearest < least) {
      least = 1 - nearest;
      found.most_redundant = archetypes[i].archetype;
    }
  }
  const bool few = archetypes.size() >= 5 && found.groups < 3;
  found.collapsed = archetypes.size() >= 2 && (few || found.mean_similarity > threshold);
  if (!found.collapsed) found.most_redundant.clear();
  return found;
}

}  // namespace brainstorm
