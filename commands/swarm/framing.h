#pragma once
// Stage 1: what kind of problem it is, and its neutral wording.

#include <string>
#include <string_view>
#include <vector>

#include "commands/session/session.h"
#include "commands/task_fwd.h"

namespace brainstorm {

/// decision · creative · analytical · strategic, by the words of the question.
std::string classify(std::string_view question);

/// Leading words in `text` that `original` does not use itself.
std::vector<std::string> leading_words(std::string_view text, std::string_view original);

/// What is wrong with a reframing: too many sentences, no question or task at the end, the subject
/// lost, leading wording. Empty: the gate is met.
std::vector<std::string> framing_problems(std::string_view reframed, std::string_view original);

/// Runs stage 1: fills problem_type and reframed_challenge, writes stage-1-framing.yaml. `note` is
/// what the person asked to change, or empty.
Task<Result<void>> frame(Session& session, std::string note);

}  // namespace brainstorm
