#include "commands/convergence/similarity.h"

#include "commands/convergence/words.h"

namespace brainstorm {

double jaccard_index(std::size_t shared, std::size_t a, std::size_t b) {
  const std::size_t all = a + b - shared;
  return all == 0 ? 0.0 : static_cast<double>(shared) / static_cast<double>(all);
}

double jaccard(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::size_t shared = 0;
  for (const std::string& term : a) shared += b.count(term);
  return jaccard_index(shared, a.size(), b.size());
}

double similarity(std::string_view a, std::string_view b) {
  return jaccard(words::term_set(a), words::term_set(b));
}

}  // namespace brainstorm
