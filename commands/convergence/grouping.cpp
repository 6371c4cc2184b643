#include "commands/convergence/grouping.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "commands/convergence/similarity.h"
#include "commands/convergence/words.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

constexpr std::size_t kTitleLength = 100;

using Matrix = std::vector<std::vector<double>>;

using Terms = std::vector<std::size_t>;  // numbered, ascending, each once

/// Numbers terms, so that comparing two texts compares no strings.
class Numbering {
 public:
  Terms of(std::string_view text) {
    Terms terms;
    for (const std::string& term : words::content_terms(text)) {
      terms.push_back(numbers_.emplace(term, numbers_.size()).first->second);
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    return terms;
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
};

/// Without the terms of the question; all of them where nothing else would remain.
Terms own_terms(Terms all, const Terms& asked) {
  Terms own;
  std::set_difference(all.begin(), all.end(), asked.begin(), asked.end(), std::back_inserter(own));
  return own.empty() ? all : own;
}

double overlap(const Terms& a, const Terms& b) {
  std::size_t shared = 0;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i] == b[k]) {
      ++shared;
      ++i;
      ++k;
    } else {
      ++(a[i] < b[k] ? i : k);
    }
  }
  return jaccard_index(shared, a.size(), b.size());
}

using Cluster = std::vector<std::size_t>;  // indices, ascending

/// The mean similarity between two clusters; nullopt when a pair of one archetype forbids to join
/// them. Average linkage, because with single linkage a chain of half-alike insights pulls two
/// unrelated ones into one theme.
std::optional<double> linkage(const Cluster& a, const Cluster& b, const Matrix& similar,
                              const std::vector<Insight>& insights) {
  double sum = 0;
  for (const std::size_t i : a) {
    for (const std::size_t k : b) {
      const double value = similar[i][k];
      const bool same = insights[i].archetype == insights[k].archetype;
      if (same && value < kSameArchetypeThreshold) return std::nullopt;
      sum += value;
    }
  }
  return sum / static_cast<double>(a.size() * b.size());
}

struct Pair {
  std::size_t first = 0, second = 0;
  double linkage = 0;
};

/// The two clusters most alike; the earlier pair wins a tie.
std::optional<Pair> nearest(const std::vector<Cluster>& clusters, const Matrix& similar,
                            const std::vector<Insight>& insights) {
  std::optional<Pair> best;
  double least = kGroupingThreshold;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (std::size_t k = i + 1; k < clusters.size(); ++k) {
      const auto value = linkage(clusters[i], clusters[k], similar, insights);
      if (!value || *value <= least) continue;
      least = *value;
      best = Pair{i, k, *value};
    }
  }
  return best;
}

std::string title_of(const Cluster& cluster, const Matrix& similar,
                     const std::vector<Insight>& insights) {
  std::size_t central = cluster.front();
  double most = -1;
  for (const std::size_t i : cluster) {
    double sum = 0;
    for (const std::size_t k : cluster) sum += similar[i][k];
    if (sum > most) {
      most = sum;
      central = i;
    }
  }
  const auto parts = words::sentences(insights[central].text);
  const std::string title = parts.empty() ? insights[central].text : parts.front();
  return text::shorten(text::one_line(title), kTitleLength);
}

}  // namespace

std::vector<std::vector<double>> pairwise_similarity(const std::vector<Insight>& insights,
                                                     std::string_view question) {
  Numbering numbering;
  const Terms asked = numbering.of(question);
  std::vector<Terms> terms;
  for (const Insight& insight : insights) {
    terms.push_back(own_terms(numbering.of(insight.text), asked));
  }
  Matrix similar(insights.size(), std::vector<double>(insights.size(), 1.0));
  for (std::size_t i = 0; i < insights.size(); ++i) {
    for (std::size_t k = i + 1; k < insights.size(); ++k) {
      similar[i][k] = overlap(terms[i], terms[k]);
      similar[k][i] = similar[i][k];
    }
  }
  return similar;
}

std::vector<Theme> group_lexically(const std::vector<Insight>& insights,
                                   std::string_view question) {
  const Matrix similar = pairwise_similarity(insights, question);
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < insights.size(); ++i) clusters.push_back({i});
  while (const auto pair = nearest(clusters, similar, insights)) {
    Cluster& into = clusters[pair->first];
    const Cluster& from = clusters[pair->second];
    into.insert(into.end(), from.begin(), from.end());
    std::sort(into.begin(), into.end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(pair->second));
  }
  std::vector<Theme> themes;
  for (const Cluster& cluster : clusters) {
    Theme theme;
    theme.id = "theme_" + std::to_string(themes.size() + 1);
    theme.title = title_of(cluster, similar, insights);
    for (const std::size_t i : cluster) theme.insight_ids.push_back(insights[i].id);
    themes.push_back(std::move(theme));
  }
  return themes;
}

double mean_similarity(const std::vector<Insight>& insights, std::string_view question) {
  if (insights.size() < 2) return 0;
  const Matrix similar = pairwise_similarity(insights, question);
  double sum = 0;
  for (std::size_t i = 0; i < insights.size(); ++i) {
    for (std::size_t k = i + 1; k < insights.size(); ++k) sum += similar[i][k];
  }
  return sum / (static_cast<double>(insights.size() * (insights.size() - 1)) / 2.0);
}

}  // namespace brainstorm
