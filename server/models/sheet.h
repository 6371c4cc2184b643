#pragma once
// The text of a worksheet: what one lens says about what was found. Statements follow simple rules
// that the sheet states; nothing is judged.

#include <string>
#include <vector>

#include "protocol/json.h"
#include "server/models/lens.h"

namespace brainstorm::offline {

/// The first line of everything the offline model writes.
inline constexpr std::string_view kMarkLine = "*Worksheet, no model was used.*";

/// The Markdown answer of a perspective. `row` is the archetype's data (prompts/data.h); null: the
/// shipped row of that id, if there is one.
std::string perspective_sheet(const Survey& survey, const std::vector<Citation>& cited,
                              const std::string& archetype, const Json* row);

/// The lens's questions with the question's own words, e.g. "What could fail, with parser and
/// generator in view?".
std::vector<std::string> open_questions(const std::string& archetype, const Json* row,
                                        const std::string& terms);

/// Up to three terms of the question, in its order, as "a, b and c".
std::string shown_terms(const std::string& question);

}  // namespace brainstorm::offline
