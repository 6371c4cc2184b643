#include "server/models/excerpt.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/text.h"

namespace brainstorm::offline {
namespace {

constexpr std::size_t kLength = 120;  // code points
constexpr std::size_t kLineBytes = 2000;

constexpr std::array<std::string_view, 14> kTags = {"script", "img",   "iframe", "a",     "svg",
                                                    "style",  "link",  "object", "embed", "form",
                                                    "input",  "video", "meta",   "base"};
constexpr std::array<std::string_view, 5> kSchemes = {
    "command:", "javascript:", "vbscript:", "vscode:", "data:"};
constexpr std::array<std::string_view, 6> kSecretNames = {"password", "passwd",  "secret",
                                                          "token",    "api_key", "apikey"};
constexpr std::array<std::string_view, 6> kSecretShapes = {"-----BEGIN", "AKIA",  "sk-",
                                                           "ghp_",       "xoxb-", "AIza"};

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool name_character(char c) { return letter(c) || digit(c) || c == '_' || c == '-'; }

/// A tag begins at the '<' of `i`. `vector<int>` is code: after a name only known tags count.
bool tag_at(std::string_view line, std::size_t i) {
  if (i + 1 >= line.size()) return false;
  const char next = line[i + 1];
  if (next == '/' || next == '!' || next == '?') return true;
  if (!letter(next)) return false;
  const bool after_name = i > 0 && (name_character(line[i - 1]) || line[i - 1] == ':');
  if (!after_name) return true;
  std::size_t end = i + 1;
  while (end < line.size() && name_character(line[end])) ++end;
  const std::string name = text::lower_ascii(line.substr(i + 1, end - i - 1));
  return std::find(kTags.begin(), kTags.end(), name) != kTags.end();
}

/// Zero-width, direction and other invisible characters (E2 80 8B–8F, AA–AE, E2 81 A0–AF, EF BB
/// BF), and C1 controls (C2 80–9F).
std::size_t invisible_at(std::string_view line, std::size_t i) {
  const auto at = [&](std::size_t k) {
    return i + k < line.size() ? static_cast<unsigned char>(line[i + k]) : 0U;
  };
  if (at(0) == 0xC2 && at(1) >= 0x80 && at(1) <= 0x9F) return 2;
  if (at(0) == 0xE2 && at(1) == 0x80) {
    const bool bad = (at(2) >= 0x8B && at(2) <= 0x8F) || (at(2) >= 0xA8 && at(2) <= 0xAE);
    return bad ? 3 : 0;
  }
  if (at(0) == 0xE2 && at(1) == 0x81 && at(2) >= 0xA0 && at(2) <= 0xAF) return 3;
  if (at(0) == 0xEF && at(1) == 0xBB && at(2) == 0xBF) return 3;
  return 0;
}

/// The length of an escape sequence at `i`, which holds ESC.
std::size_t escape_at(std::string_view line, std::size_t i) {
  std::size_t end = i + 1;
  if (end < line.size() && line[end] == ']') {  // OSC: up to BEL or ST
    while (end < line.size() && line[end] != '\a' && line[end] != '\x1b') ++end;
    return std::min(end + 1, line.size()) - i;
  }
  if (end < line.size() && line[end] == '[') ++end;  // CSI: up to a letter
  while (end < line.size() && !letter(line[end])) ++end;
  return std::min(end + 1, line.size()) - i;
}

/// How many bytes at `i` must not be quoted; 0: none.
std::size_t unfit_at(std::string_view line, std::size_t i) {
  const char c = line[i];
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\x1b') return escape_at(line, i);
  if (c == '`' || (byte < 0x20 && c != '\t') || byte == 0x7F) return 1;
  if (c == ']' && line.substr(i, 2) == "](") return 2;
  if (c == '<' && tag_at(line, i)) return 1;
  if (const std::size_t length = invisible_at(line, i); length > 0) return length;
  for (const std::string_view scheme : kSchemes) {
    if (text::starts_with_ci(line.substr(i), scheme) && i + scheme.size() < line.size() &&
        line[i + scheme.size()] != ' ' && (i == 0 || !name_character(line[i - 1]))) {
      return scheme.size();
    }
  }
  return 0;
}

/// Where the longest part without anything unfit begins and ends.
std::pair<std::size_t, std::size_t> longest(std::string_view line) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size();) {
    const std::size_t unfit = i < line.size() ? unfit_at(line, i) : 1;
    if (unfit == 0) {
      ++i;
      continue;
    }
    if (i - begin > best.second - best.first) best = {begin, i};
    i += unfit;
    begin = i;
  }
  return best;
}

/// The value assigned at `i` ("= …", ": …") could be a credential: quoted and long, or letters and
/// digits mixed. `token = next_token()` is code.
bool secret_value_at(std::string_view line, std::size_t i) {
  while (i < line.size() && std::string_view("\"' ").find(line[i]) != std::string_view::npos) ++i;
  if (i >= line.size() || (line[i] != '=' && line[i] != ':')) return false;
  ++i;
  while (i < line.size() && line[i] == ' ') ++i;
  const bool quoted = i < line.size() && (line[i] == '"' || line[i] == '\'');
  if (quoted) ++i;
  bool letters = false;
  bool digits = false;
  std::size_t end = i;
  for (; end < line.size() && line[end] > ' ' && line[end] != '"' && line[end] != '\''; ++end) {
    if (line[end] == '(') return false;
    letters = letters || letter(line[end]);
    digits = digits || digit(line[end]);
  }
  return end - i >= 8 && (quoted || (letters && digits));
}

bool looks_secret(std::string_view line) {
  for (const std::string_view shape : kSecretShapes) {
    const std::size_t at = line.find(shape);
    if (at != std::string_view::npos && (at == 0 || !name_character(line[at - 1]))) return true;
  }
  const std::string low = text::lower_ascii(line);
  for (const std::string_view name : kSecretNames) {
    for (std::size_t at = low.find(name); at != std::string::npos; at = low.find(name, at + 1)) {
      if (secret_value_at(low, at + name.size())) return true;
    }
  }
  return false;
}

}  // namespace

std::string excerpt(std::string_view line) {
  std::string whole(text::trim(line));
  if (whole.size() > kLineBytes) whole = text::repair_utf8(whole.substr(0, kLineBytes));
  if (looks_secret(whole)) return {};
  const auto [begin, end] = longest(whole);
  const std::string_view part = text::trim(std::string_view(whole).substr(begin, end - begin));
  const auto letters = std::count_if(part.begin(), part.end(), [](char c) {
    return letter(c) || digit(c) || static_cast<unsigned char>(c) >= 0x80;
  });
  if (letters < 3) return {};
  const std::size_t room = kLength - 2;  // for an ellipsis at each end
  std::string quoted = text::shorten(text::one_line(part), room);
  if (begin > 0) quoted.insert(0, "\u2026");
  if (end < whole.size() && !quoted.ends_with("\u2026")) quoted += "\u2026";
  return quoted;
}

bool citable(std::string_view path) {
  if (path.empty() || path.size() > 200 || !text::is_valid_utf8(path)) return false;
  if (text::trim(path) != path) return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto byte = static_cast<unsigned char>(path[i]);
    if (byte < 0x20 || byte == 0x7F || invisible_at(path, i) > 0) return false;
    if (std::string_view("`<>:\"\\|").find(path[i]) != std::string_view::npos) return false;
  }
  return path.find("](") == std::string_view::npos;
}

}  // namespace brainstorm::offline
