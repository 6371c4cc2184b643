#include "protocol/text.h"

#include <algorithm>

namespace brainstorm::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

struct Decoded {
  char32_t point = 0;      // U+FFFD when invalid
  std::size_t length = 1;  // bytes taken; of an invalid sequence its longest sensible start
  bool valid = false;
};

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// Decodes at `at` < text.size(), strictly: no overlong forms, no surrogates, at most U+10FFFF.
Decoded decode(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {0xFFFD, 1, false};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size()) return {0xFFFD, i, false};
    const unsigned char next = byte_at(text, at + i);
    // The second byte carries the limits of its lead (Unicode, table 3-7).
    const bool first = i == 1;
    const unsigned char low = first && lead == 0xE0 ? 0xA0 : first && lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = first && lead == 0xED ? 0x9F : first && lead == 0xF4 ? 0x8F : 0xBF;
    if (next < low || next > high) return {0xFFFD, i, false};
    point = (point << 6U) | (next & 0x3FU);
  }
  return {point, length, true};
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

bool is_control(char32_t point) { return point < 0x20 || (point >= 0x7F && point <= 0x9F); }

bool is_space(char32_t point) {
  return point == 0x20 || (point >= 0x09 && point <= 0x0D) || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000 ||
         point == 0xFEFF;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_ci(char a, char b) { return lower(a) == lower(b); }

/// Bytes of a control string after its introducer, up to BEL or ST; 0 when it does not end on its
/// line, so that a stray introducer swallows nothing.
std::size_t control_string(std::string_view rest) {
  for (std::size_t i = 0; i < rest.size() && rest[i] != '\n'; ++i) {
    if (rest[i] == '\a') return i + 1;
    const bool escape = rest[i] == '\x1B' && i + 1 < rest.size() && rest[i + 1] == '\\';
    const bool c1 = rest[i] == '\xC2' && i + 1 < rest.size() && rest[i + 1] == '\x9C';
    if (escape || c1) return i + 2;
  }
  return 0;
}

/// Bytes of a run of parameters and its final byte, as in "31m".
std::size_t control_sequence(std::string_view rest) {
  std::size_t i = 0;
  while (i < rest.size() && rest[i] >= 0x20 && rest[i] <= 0x3F) ++i;
  return i < rest.size() && rest[i] >= 0x40 && rest[i] <= 0x7E ? i + 1 : i;
}

/// Bytes that belong to an escape sequence after its ESC or C1 introducer.
std::size_t sequence_after(char32_t introducer, std::string_view rest) {
  switch (introducer) {
    case '[':
    case 0x9B:
      return control_sequence(rest);
    case 'P':
    case 'X':
    case ']':
    case '^':
    case '_':
    case 0x90:
    case 0x98:
    case 0x9D:
    case 0x9E:
    case 0x9F:
      return control_string(rest);
    default:
      return 0;
  }
}

/// Bytes of the escape sequence at the start of `rest`, which begins with ESC.
std::size_t escape_sequence(std::string_view rest) {
  std::size_t i = 1;
  while (i < rest.size() && rest[i] >= 0x20 && rest[i] <= 0x2F) ++i;
  if (i >= rest.size() || rest[i] < 0x30 || rest[i] > 0x7E) return i;
  if (i > 1) return i + 1;
  return 2 + sequence_after(static_cast<char32_t>(rest[1]), rest.substr(2));
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    if (!next.valid) return false;
    at += next.length;
  }
  return true;
}

std::string repair_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    repaired += next.valid ? text.substr(at, next.length) : kReplacement;
    at += next.length;
  }
  return repaired;
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::size_t utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    units += next.point > 0xFFFF ? 2 : 1;
    at += next.length;
  }
  return units;
}

std::size_t byte_of_utf16(std::string_view line, std::size_t column) {
  std::size_t units = 0;
  std::size_t at = 0;
  while (at < line.size()) {
    const Decoded next = decode(line, at);
    units += next.point > 0xFFFF ? 2 : 1;
    if (units > column) return at;
    at += next.length;
  }
  return at;
}

std::string shorten(std::string_view text, std::size_t count) {
  if (code_points(text) <= count) return std::string(text);
  if (count == 0) return {};
  std::size_t end = 0;
  for (std::size_t kept = 0; kept + 1 < count; ++kept) end += decode(text, end).length;
  return std::string(text.substr(0, end)).append(kEllipsis);
}

std::string_view trim(std::string_view text) {
  while (!text.empty()) {
    const Decoded first = decode(text, 0);
    if (!first.valid || !is_space(first.point)) break;
    text.remove_prefix(first.length);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && is_continuation(text[start])) --start;
    const Decoded last = decode(text, start);
    if (!last.valid || !is_space(last.point)) break;
    text = text.substr(0, start);
  }
  return text;
}

std::string one_line(std::string_view text) {
  std::string line;
  bool gap = false;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    if (is_space(next.point) || is_control(next.point)) {
      gap = !line.empty();
    } else {
      if (gap) line += ' ';
      gap = false;
      line += text.substr(at, next.length);
    }
    at += next.length;
  }
  return line;
}

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    if (next.point == 0x1B) {
      at += escape_sequence(text.substr(at));
      continue;
    }
    const bool kept = next.point == '\n' || next.point == '\t' || !is_control(next.point);
    if (kept) clean += text.substr(at, next.length);
    at += next.length;
    if (!kept && next.point >= 0x80) at += sequence_after(next.point, text.substr(at));
  }
  return clean;
}

std::string lower_ascii(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  return lowered;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (end != std::string_view::npos && !line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    found.push_back(line);
  }
  return found;
}

bool starts_with_ci(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), same_ci);
}

bool contains_ci(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same_ci) != text.end() ||
         part.empty();
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

}  // namespace brainstorm::text
