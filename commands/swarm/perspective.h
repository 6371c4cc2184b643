#pragma once
// One agent's answer: liberal in what it accepts, strict in what it calls whole.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/convergence/grouping.h"
#include "protocol/json.h"

namespace brainstorm {

struct Perspective {
  std::string archetype;
  std::string key_insight;
  std::vector<std::string> further;  // at most three
  std::vector<std::string> evidence;
  std::optional<int> confidence;  // 1 to 5 after clamping
  std::vector<std::string> blind_spots;
  bool research_backed = false;
  std::vector<std::string> warnings;  // clamped confidence and the like
};

/// Never fails: what is not there stays empty. Takes headings or bold labels in any case, singular
/// or plural, any bullets, text before the first heading, a code fence round the whole answer.
Perspective parse_perspective(std::string_view archetype, std::string_view answer);

/// Names of the elements that the gate misses, of: key insight, supporting evidence, confidence,
/// blind spots. Empty: the gate is met.
std::vector<std::string> missing_elements(const Perspective& perspective);

/// The perspective as Markdown, with the headings of the answer format.
std::string render_perspective(const Perspective& perspective);

/// "{id}_insight", then "{id}_further_1", …
std::vector<Insight> insights_of(const Perspective& perspective);

}  // namespace brainstorm
