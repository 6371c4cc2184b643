#pragma once
// Text as words: what grouping, the framing checks and the offline model compare. Everything here
// is a function of its arguments and of the shipped word lists alone.

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace brainstorm::words {

/// Languages with a stemmer of their own; anything else is treated as English, which leaves words
/// of other scripts as they are.
enum class Language { english, german, french, spanish };

/// By stop words; English unless another language clearly has more of them.
Language guess_language(std::string_view text);

/// Words in order, compatibility-normalised and case-folded, punctuation and emoji left out.
/// An identifier or file name (snake_case, camelCase, parser.cpp) comes whole and then as its
/// parts; scripts written without spaces come as overlapping pairs of characters.
std::vector<std::string> tokens(std::string_view text);

/// The Snowball stem of one token.
std::string stem(std::string_view token, Language language = Language::english);

/// For a token (case-folded), by the lists of the given language and of English.
bool is_stop_word(std::string_view token, Language language = Language::english);

/// Stems in order, with repetitions, without stop words and single letters.
std::vector<std::string> content_terms(std::string_view text);
std::set<std::string> term_set(std::string_view text);

/// Trimmed sentences; a line break between paragraphs or bullets ends one too. The points inside
/// "parser.cpp", "3.14" and "e.g." end none.
std::vector<std::string> sentences(std::string_view text);

}  // namespace brainstorm::words
