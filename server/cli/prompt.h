#pragma once
// A decision as a numbered question on a terminal, and what the typed line means.

#include <optional>
#include <string>
#include <vector>

#include "protocol/brainstorm.h"

namespace brainstorm::cli {

/// The question, its numbered choices, and how to leave it open.
std::vector<std::string> question_lines(const Decision& decision);

struct Typed {
  enum class Meaning { choice, later, unclear };
  Meaning meaning = Meaning::unclear;
  std::string choice;  // the option's id
};
/// A number, an option's id, or the beginning of its title or id that only one has; nothing typed
/// means later.
Typed read_answer(const Decision& decision, const std::string& line);

/// Which of the decision's fields a choice needs to be asked for.
std::vector<Field> fields_of(const Decision& decision, const std::string& choice);

/// Without what line editing and pasting leave around it.
std::string clean_line(const std::string& line);

}  // namespace brainstorm::cli
