#include "server/cli/prompt.h"

#include <algorithm>
#include <map>

#include "protocol/text.h"

namespace brainstorm::cli {

std::string clean_line(const std::string& line) {
  return std::string(text::trim(text::one_line(text::printable(text::repair_utf8(line)))));
}

std::vector<std::string> question_lines(const Decision& decision) {
  std::vector<std::string> lines;
  const auto prompt = text::printable(decision.prompt);
  for (const auto line : text::lines(prompt)) lines.emplace_back(line);
  for (std::size_t i = 0; i < decision.options.size(); ++i) {
    lines.push_back("  " + std::to_string(i + 1) + "  " +
                    text::one_line(text::printable(decision.options[i].title)));
  }
  lines.emplace_back("  Enter alone leaves it open for later.");
  return lines;
}

Typed read_answer(const Decision& decision, const std::string& line) {
  const auto typed = clean_line(line);
  // An arrow key leaves only its escape sequence behind: nothing that answers, but not nothing.
  if (typed.empty() && !text::trim(line).empty()) return {};
  if (typed.empty()) return {Typed::Meaning::later, {}};
  const auto& options = decision.options;
  const bool digits =
      std::all_of(typed.begin(), typed.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits) {
    const auto number = typed.size() > 4 ? 0 : std::stoul(typed);
    if (number < 1 || number > options.size()) return {};
    return {Typed::Meaning::choice, options[number - 1].id};
  }
  std::vector<std::string> matches;
  for (const auto& option : options) {
    if (text::lower_ascii(typed) == text::lower_ascii(option.id)) {
      return {Typed::Meaning::choice, option.id};
    }
    if (text::starts_with_ci(option.id, typed) || text::starts_with_ci(option.title, typed)) {
      matches.push_back(option.id);
    }
  }
  if (matches.size() == 1) return {Typed::Meaning::choice, matches.front()};
  if (matches.empty() && text::lower_ascii(typed) == "later") return {Typed::Meaning::later, {}};
  return {};
}

std::vector<Field> fields_of(const Decision& decision, const std::string& choice) {
  static const std::map<std::string, std::vector<std::string>> needs{
      {"refine", {"text"}}, {"raise", {"amount"}}, {"handoff", {"target"}}, {"rerun", {"agents"}}};
  const auto need = needs.find(choice);
  std::vector<Field> fields;
  if (need == needs.end()) return fields;
  for (const auto& field : decision.fields) {
    const auto& ids = need->second;
    if (std::find(ids.begin(), ids.end(), field.id) != ids.end()) fields.push_back(field);
  }
  return fields;
}

}  // namespace brainstorm::cli
