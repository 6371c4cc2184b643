#pragma once
// The stages after framing, as swarm.cpp strings them together.

#include "commands/session/session.h"
#include "commands/task_fwd.h"

namespace brainstorm {

/// Runs every agent that has no whole answer yet, `limits.concurrent` at a time, within the agents'
/// and the stage's deadlines. Only an error of storage fails it: an agent's failure is a status.
Task<Result<void>> diverge(Session& session);

/// Weighs the complete perspectives and writes the synthesis.
Task<Result<void>> converge(Session& session);

inline std::string perspective_file(const std::string& archetype) {
  return "perspectives/" + archetype + ".md";
}

/// What every artefact of the offline model carries.
inline constexpr std::string_view kWorksheetMark = "*Worksheet, no model was used.*";

}  // namespace brainstorm
