#pragma once
// What a person's text must satisfy before anything is created or sent.

#include <string>
#include <string_view>
#include <vector>

#include "commands/settings.h"
#include "protocol/result.h"

namespace brainstorm {

/// The trimmed question, or prompt_too_short, prompt_too_long, prompt_too_few_words,
/// prompt_prohibited: each says which rule, what was found and how to mend it.
Result<std::string> check_question(std::string_view question, const Settings& settings);

/// prompt_prohibited when `text` holds a credential or a prohibited pattern; never echoes it.
/// `what` names the text: "the question", "context src/main.cpp", "the feedback".
Ok check_prohibited(std::string_view text, std::string_view what, const Settings& settings);

/// Advice that stops nothing, e.g. when neither question nor task was recognised.
std::vector<std::string> advise(std::string_view question);

}  // namespace brainstorm
