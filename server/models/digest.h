#pragma once
// The synthesis that can be written without a model: what was cited, what stays open, what to do
// next. It never contains `conflicts`: they were not analysed.

#include <string>

#include "protocol/json.h"

namespace brainstorm::offline {

/// JSON text {summary, open_questions[], next_steps[]}. `data` as in ModelTask; null: nothing is
/// known.
std::string synthesis_sheet(const std::string& question, const Json* data);

}  // namespace brainstorm::offline
