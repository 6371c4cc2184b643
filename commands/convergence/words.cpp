#include "commands/convergence/words.h"

#include <libstemmer.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwbrk.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "commands/prompts/data.h"
#include "protocol/json.h"
#include "protocol/text.h"

namespace brainstorm::words {
namespace {

using WordSet = std::unordered_set<std::string>;

constexpr std::array kLanguages = {Language::english, Language::german, Language::french,
                                   Language::spanish};

const std::uint8_t* bytes(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

const WordSet& stop_words(Language language) {
  static const std::array<WordSet, kLanguages.size()> lists = [] {
    constexpr std::array keys = {"stop_words", "stop_words_german", "stop_words_french",
                                 "stop_words_spanish"};
    std::array<WordSet, kLanguages.size()> read;
    const auto shipped = json::parse(data::words);
    for (std::size_t i = 0; shipped && i < keys.size(); ++i) {
      const Json* list = json::find(*shipped, keys[i]);
      if (list == nullptr || !list->is_array()) continue;
      for (const Json& word : *list) {
        if (word.is_string()) read[i].insert(word.get<std::string>());
      }
    }
    return read;
  }();
  return lists[static_cast<std::size_t>(language)];
}

bool is_ascii(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

/// Case-folded and compatibility-normalised (NFKC: the stemmers want composed letters).
std::string fold(std::string_view text) {
  if (is_ascii(text)) return text::lower_ascii(text);
  std::size_t length = 0;
  const std::unique_ptr<std::uint8_t, decltype(&std::free)> folded(
      u8_casefold(bytes(text), text.size(), nullptr, UNINORM_NFKC, nullptr, &length), &std::free);
  if (!folded) return text::lower_ascii(text);
  return std::string(reinterpret_cast<const char*>(folded.get()), length);
}

bool has_letter_or_digit(std::string_view segment) {
  std::size_t at = 0;
  while (at < segment.size()) {
    ucs4_t character = 0;
    const int length = u8_mbtouc(&character, bytes(segment) + at, segment.size() - at);
    if (uc_is_alpha(character) || uc_is_digit(character)) return true;
    at += static_cast<std::size_t>(length);
  }
  return false;
}

/// A letter of a script that the word breaks take apart one by one (Han, Thai, …), where a single
/// character says too little.
bool stands_alone(std::string_view segment) {
  ucs4_t character = 0;
  const int length = u8_mbtouc(&character, bytes(segment), segment.size());
  return static_cast<std::size_t>(length) == segment.size() && character >= 0x0E00 &&
         uc_is_alpha(character);
}

bool upper(char c) { return c >= 'A' && c <= 'Z'; }
bool lower(char c) { return c >= 'a' && c <= 'z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view part) {
  for (const char c : part) {
    if (!digit(c)) return false;
  }
  return true;
}

/// True where camelCase or HTTPServer begins a new part at `i`.
bool camel_boundary(std::string_view word, std::size_t i) {
  if (i == 0 || !upper(word[i])) return false;
  if (lower(word[i - 1]) || digit(word[i - 1])) return true;
  return upper(word[i - 1]) && i + 1 < word.size() && lower(word[i + 1]);
}

std::vector<std::string_view> identifier_parts(std::string_view word) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    if (end > begin) parts.push_back(word.substr(begin, end - begin));
  };
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '_' || word[i] == '.') {
      close(i);
      begin = i + 1;
    } else if (camel_boundary(word, i)) {
      close(i);
      begin = i;
    }
  }
  close(word.size());
  return parts;
}

/// "don't" and "l'outil" are two words each; what remains of a contraction is a stop word.
std::vector<std::string_view> without_apostrophes(std::string_view segment) {
  constexpr std::string_view typographic = "\u2019";
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < segment.size();) {
    std::size_t skip = 0;
    if (segment[i] == '\'') skip = 1;
    if (segment.substr(i, typographic.size()) == typographic) skip = typographic.size();
    if (skip == 0) {
      ++i;
      continue;
    }
    if (i > begin) parts.push_back(segment.substr(begin, i - begin));
    i += skip;
    begin = i;
  }
  if (begin < segment.size()) parts.push_back(segment.substr(begin));
  return parts;
}

void add_word(std::string_view word, std::vector<std::string>& out) {
  while (!word.empty() && (word.front() == '_' || word.front() == '.')) word.remove_prefix(1);
  while (!word.empty() && (word.back() == '_' || word.back() == '.')) word.remove_suffix(1);
  if (word.empty()) return;
  out.push_back(fold(word));
  const auto parts = identifier_parts(word);
  if (parts.size() < 2) return;
  bool number = true;
  for (const auto part : parts) number = number && all_digits(part);
  if (number) return;
  for (const auto part : parts) out.push_back(fold(part));
}

/// Segments in order; white space, punctuation and symbols are segments too.
std::vector<std::string_view> segments(std::string_view text) {
  std::vector<char> breaks(text.size());
  u8_wordbreaks(bytes(text), text.size(), breaks.data());
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= text.size(); ++i) {
    if (i < text.size() && breaks[i] == 0) continue;
    out.push_back(text.substr(begin, i - begin));
    begin = i;
  }
  return out;
}

/// C++ and C#: the only common names that end in punctuation.
std::string with_symbol(std::string_view segment, std::string_view rest) {
  if (segment != "C" && segment != "c" && segment != "F" && segment != "f") return {};
  if (rest.substr(0, 2) == "++") return text::lower_ascii(segment) + "++";
  if (rest.substr(0, 1) == "#") return text::lower_ascii(segment) + "#";
  return {};
}

Language guess(const std::vector<std::string>& found) {
  std::array<int, kLanguages.size()> hits{};
  for (const std::string& token : found) {
    for (std::size_t i = 0; i < kLanguages.size(); ++i) {
      if (stop_words(kLanguages[i]).count(token) > 0) ++hits[i];
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < hits.size(); ++i) {
    if (hits[i] >= 2 && hits[i] > hits[best]) best = i;
  }
  return kLanguages[best];
}

sb_stemmer* stemmer(Language language) {
  using Stemmer = std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)>;
  constexpr std::array names = {"english", "german", "french", "spanish"};
  static std::array<Stemmer, names.size()> made = {
      Stemmer(nullptr, &sb_stemmer_delete), Stemmer(nullptr, &sb_stemmer_delete),
      Stemmer(nullptr, &sb_stemmer_delete), Stemmer(nullptr, &sb_stemmer_delete)};
  const auto i = static_cast<std::size_t>(language);
  if (!made[i]) made[i].reset(sb_stemmer_new(names[i], "UTF_8"));
  return made[i].get();
}

}  // namespace

Language guess_language(std::string_view text) { return guess(tokens(text)); }

std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> out;
  const std::string repaired = text::is_valid_utf8(text) ? "" : text::repair_utf8(text);
  if (!repaired.empty()) text = repaired;
  std::string_view before;  // the last character of a run without spaces
  bool paired = false;      // whether `before` is already part of a pair
  const auto close_run = [&] {
    if (!before.empty() && !paired) out.push_back(fold(before));
    before = {};
    paired = false;
  };
  for (const std::string_view segment : segments(text)) {
    if (stands_alone(segment)) {
      if (!before.empty()) {
        out.push_back(fold(std::string(before) + std::string(segment)));
        paired = true;
      }
      before = segment;
      continue;
    }
    close_run();
    if (!has_letter_or_digit(segment)) continue;
    const auto end = static_cast<std::size_t>(segment.data() - text.data()) + segment.size();
    if (auto name = with_symbol(segment, text.substr(end)); !name.empty()) {
      out.push_back(std::move(name));
      continue;
    }
    for (const auto word : without_apostrophes(segment)) add_word(word, out);
  }
  close_run();
  return out;
}

std::string stem(std::string_view token, Language language) {
  // Names with digits or points are no words of any language.
  for (const char c : token) {
    if (digit(c) || c == '.' || c == '_' || c == '+' || c == '#') return std::string(token);
  }
  sb_stemmer* const made = stemmer(language);
  if (made == nullptr || token.size() > 64) return std::string(token);
  const sb_symbol* const stemmed =
      sb_stemmer_stem(made, bytes(token), static_cast<int>(token.size()));
  if (stemmed == nullptr) return std::string(token);
  return std::string(reinterpret_cast<const char*>(stemmed),
                     static_cast<std::size_t>(sb_stemmer_length(made)));
}

bool is_stop_word(std::string_view token, Language language) {
  const std::string word(token);
  if (stop_words(Language::english).count(word) > 0) return true;
  return language != Language::english && stop_words(language).count(word) > 0;
}

std::vector<std::string> content_terms(std::string_view text) {
  const auto found = tokens(text);
  const Language language = guess(found);
  std::vector<std::string> terms;
  for (const std::string& token : found) {
    const bool letter = token.size() == 1;
    if (!letter && !is_stop_word(token, language)) terms.push_back(stem(token, language));
  }
  return terms;
}

std::set<std::string> term_set(std::string_view text) {
  const auto terms = content_terms(text);
  return {terms.begin(), terms.end()};
}

}  // namespace brainstorm::words
