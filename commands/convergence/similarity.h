#pragma once
// How alike two texts are, by the words they share.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace brainstorm {

/// The index from the number of shared terms and the sizes of both sets.
double jaccard_index(std::size_t shared, std::size_t a, std::size_t b);

/// |a ∩ b| / |a ∪ b|, 0 when both are empty.
double jaccard(const std::set<std::string>& a, const std::set<std::string>& b);

/// Keyword Jaccard over stems, 0 to 1.
double similarity(std::string_view a, std::string_view b);

}  // namespace brainstorm
