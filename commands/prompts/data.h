#pragma once
// The shipped data: JSON files of this folder, embedded at build. People's own YAML replaces it by
// becoming the same JSON.

#include <string_view>

namespace brainstorm::data {

/// Array of archetypes in their fixed order: {id, title, lens, researches[], asks[], key_question,
/// confidence_question, bias, missing}.
extern const std::string_view archetypes;

/// Lower-case words by purpose, for the checks and heuristics that work without a model:
/// {interrogatives, modals, imperatives, leading, decision, creative, analytical, strategic,
/// stop_words}.
extern const std::string_view words;

/// Prompt templates by task, see commands/swarm/prompts.h.
extern const std::string_view swarm_templates;

}  // namespace brainstorm::data
