#include "commands/session/prompt_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "commands/convergence/words.h"
#include "commands/credentials.h"
#include "commands/prompts/data.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

/// std::regex recurses once a character: longer texts are checked in overlapping windows.
constexpr std::size_t kWindow = 4096;
constexpr std::size_t kOverlap = 512;

bool pattern_matches(const std::string& pattern, std::string_view text) {
  try {
    const std::regex regex(pattern, std::regex::ECMAScript | std::regex::icase);
    for (std::size_t at = 0; at < text.size(); at += kWindow - kOverlap) {
      const std::string_view window = text.substr(at, kWindow);
      if (std::regex_search(window.begin(), window.end(), regex)) return true;
    }
  } catch (const std::regex_error&) {
    // Refused when the settings were read; a pattern too costly to run protects nothing, but must
    // not stop the person either.
  }
  return false;
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space && !inside) ++words;
    inside = !space;
  }
  return words;
}

/// Thai, Chinese, Japanese and their neighbours write without spaces: words cannot be counted
/// there.
bool has_spaceless_script(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto lead = static_cast<unsigned char>(c);
    return lead == 0xE0 || lead == 0xE1 || (lead >= 0xE3 && lead <= 0xED);
  });
}

bool any_word(const std::vector<std::string>& tokens, const Json& list) {
  return std::any_of(list.begin(), list.end(), [&](const Json& word) {
    return std::find(tokens.begin(), tokens.end(), word.get<std::string>()) != tokens.end();
  });
}

}  // namespace

Result<std::string> check_question(std::string_view question, const Settings& settings) {
  const std::string text{text::trim(question)};
  if (!text::is_valid_utf8(text)) {
    return Error{ErrorCode::invalid_argument,
                 "the question is not valid UTF-8",
                 "Send it as UTF-8 text.",
                 {{"field", "question"}}};
  }
  const auto length = static_cast<std::int64_t>(text::code_points(text));
  const std::string found = "it has " + std::to_string(length) + " characters";
  if (length < settings.limits.prompt_min) {
    return Error{ErrorCode::prompt_too_short,
                 "the question is too short: " + found + ", at least " +
                     std::to_string(settings.limits.prompt_min) + " are needed",
                 "Say what should be decided and what matters about it.",
                 {{"field", "question"}}};
  }
  if (length > settings.limits.prompt_max) {
    return Error{ErrorCode::prompt_too_long,
                 "the question is too long: " + found + ", at most " +
                     std::to_string(settings.limits.prompt_max) + " are taken",
                 "Keep the question itself and hand the material over as context.",
                 {{"field", "question"}}};
  }
  if (count_words(text) < 3 && !has_spaceless_script(text)) {
    return Error{ErrorCode::prompt_too_few_words,
                 "the question has fewer than three words: a topic alone cannot be thought about",
                 "Ask about it, as in \"Should we …?\" or \"How could we …?\".",
                 {{"field", "question"}}};
  }
  TRY_OK(check_prohibited(text, "the question", settings));
  return text;
}

Ok check_prohibited(std::string_view text, std::string_view what, const Settings& settings) {
  const std::string where{what};
  if (const auto credential = find_credential(text)) {
    return Error{ErrorCode::prompt_prohibited,
                 where + " holds what looks like " + std::string(credential->rule) + " (at byte " +
                     std::to_string(credential->offset) + "); nothing was created or sent",
                 "Remove it: the text would go to every model that takes part.",
                 {{"field", where}}};
  }
  for (std::size_t i = 0; i < settings.prohibited_patterns.size(); ++i) {
    if (!pattern_matches(settings.prohibited_patterns[i], text)) continue;
    return Error{ErrorCode::prompt_prohibited,
                 where + " matches prohibitedPatterns[" + std::to_string(i) +
                     "] of the settings; nothing was created or sent",
                 "Reword it, or change the setting.",
                 {{"field", where}}};
  }
  return {};
}

std::vector<std::string> advise(std::string_view question) {
  if (question.find('?') != std::string_view::npos ||
      question.find("？") != std::string_view::npos || has_spaceless_script(question)) {
    return {};
  }
  static const Json lists = json::parse(data::words).value();
  const auto tokens = words::tokens(question);
  for (const char* list : {"interrogatives", "modals", "imperatives"}) {
    if (any_word(tokens, lists.at(list))) return {};
  }
  return {
      "No question or task was recognised in the prompt. \"Should we …?\", \"How could we …?\" "
      "or \"Compare …\" usually give better answers."};
}

}  // namespace brainstorm
