// words::sentences: where one sentence ends and the next begins, in plain text and light Markdown.

#include <algorithm>
#include <array>

#include "commands/convergence/words.h"
#include "protocol/text.h"

namespace brainstorm::words {
namespace {

constexpr std::array<std::string_view, 12> kAbbreviations = {
    "e.g", "i.e", "etc", "vs", "cf", "approx", "z.B", "d.h", "bzw", "ca", "Dr", "Mr"};
constexpr std::array<std::string_view, 3> kWideEnds = {"\u3002", "\uFF01", "\uFF1F"};

bool starts_block(std::string_view line) {
  if (line.empty()) return true;
  if (line.front() == '#' || line.front() == '>' || line.front() == '|') return true;
  const bool mark = line.front() == '-' || line.front() == '*' || line.front() == '+';
  if (mark && line.size() > 1 && line[1] == ' ') return true;
  std::size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  return digits > 0 && digits < 4 && digits + 1 < line.size() &&
         (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
}

/// Paragraphs and bullets, each with its lines joined.
std::vector<std::string> blocks(std::string_view text) {
  std::vector<std::string> out;
  bool open = false;
  for (const std::string_view raw : text::lines(text)) {
    const std::string_view line = text::trim(raw);
    if (line.empty()) {
      open = false;
    } else if (open && !starts_block(line)) {
      out.back() += ' ';
      out.back() += line;
    } else {
      out.emplace_back(line);
      open = line.front() != '#';  // a heading is one line
    }
  }
  return out;
}

bool abbreviation_before(std::string_view text, std::size_t point) {
  for (const std::string_view word : kAbbreviations) {
    if (point < word.size() || text.substr(point - word.size(), word.size()) != word) continue;
    const std::size_t begin = point - word.size();
    if (begin == 0 || text[begin - 1] == ' ' || text[begin - 1] == '(') return true;
  }
  return false;
}

/// The length of a sentence's end at `i`, with closing quotes and brackets; 0 where none ends.
std::size_t end_at(std::string_view text, std::size_t i) {
  for (const std::string_view wide : kWideEnds) {
    if (text.substr(i, wide.size()) == wide) return wide.size();
  }
  if (text[i] != '.' && text[i] != '!' && text[i] != '?') return 0;
  std::size_t end = i + 1;
  constexpr std::string_view closing = ".!?)]\"'*_`";
  while (end < text.size() && closing.find(text[end]) != std::string_view::npos) ++end;
  if (end == text.size()) return end - i;
  if (text[end] != ' ') return 0;
  const char next = end + 1 < text.size() ? text[end + 1] : ' ';
  if (next >= 'a' && next <= 'z') return 0;
  if (text[i] == '.' && abbreviation_before(text, i)) return 0;
  return end - i;
}

void split(std::string_view block, std::vector<std::string>& out) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < block.size();) {
    if (block[i] == '`') {
      // What stands in a code span ends no sentence.
      const std::size_t close = block.find('`', i + 1);
      if (close != std::string_view::npos) {
        i = close + 1;
        continue;
      }
    }
    const std::size_t length = end_at(block, i);
    if (length == 0) {
      ++i;
      continue;
    }
    i += length;
    const std::string_view sentence = text::trim(block.substr(begin, i - begin));
    if (!sentence.empty()) out.emplace_back(sentence);
    begin = i;
  }
  const std::string_view rest = text::trim(block.substr(std::min(begin, block.size())));
  if (!rest.empty()) out.emplace_back(rest);
}

}  // namespace

std::vector<std::string> sentences(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string& block : blocks(text)) split(block, out);
  return out;
}

}  // namespace brainstorm::words
