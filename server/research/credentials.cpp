// mask_credentials: one pass by hand over each line. Regular expressions would take seconds for a
// repository.

#include <algorithm>
#include <array>
#include <string>

#include "protocol/text.h"
#include "server/research/workspace.h"

namespace brainstorm {
namespace {

constexpr std::string_view kMask = "[masked]";
// How far a name and a value reach at most: without an end, a long line would take quadratic time.
constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxValue = 512;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_token(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; }
bool is_opaque(char c) { return is_token(c) || c == '/' || c == '+' || c == '='; }

/// Tokens by which a vendor's keys are known, and how long they are at least.
struct Known {
  std::string_view prefix;
  std::size_t length;
};
constexpr std::array<Known, 23> kKnown = {{
    {"sk-", 20},   {"sk_live_", 20}, {"rk_live_", 20}, {"ghp_", 30},        {"gho_", 30},
    {"ghu_", 30},  {"ghs_", 30},     {"ghr_", 30},     {"github_pat_", 40}, {"glpat-", 20},
    {"AKIA", 20},  {"ASIA", 20},     {"AIza", 35},     {"xoxb-", 20},       {"xoxp-", 20},
    {"xoxa-", 20}, {"xoxs-", 20},    {"xoxr-", 20},    {"hf_", 30},         {"npm_", 36},
    {"pypi-", 40}, {"SG.", 50},      {"dop_v1_", 40},
}};

bool has_letter_and_digit(std::string_view value) {
  return std::any_of(value.begin(), value.end(), is_letter) &&
         std::any_of(value.begin(), value.end(), is_digit);
}

bool is_known_token(std::string_view token) {
  if (token.size() < 20) return false;
  if (token.substr(0, 3) == "eyJ") return std::count(token.begin(), token.end(), '.') >= 2;
  return std::any_of(kKnown.begin(), kKnown.end(), [&](const Known& known) {
    return token.size() >= known.length && token.substr(0, known.prefix.size()) == known.prefix &&
           has_letter_and_digit(token.substr(known.prefix.size()));
  });
}

/// Whether a name says that its value is secret.
bool names_secret(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "password", "passwd", "passphrase", "secret",      "token",
      "api_key",  "apikey", "access_key", "private_key", "api-key"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return text::contains_ci(name, word); });
}

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The secret part of what stands after `name =`, empty when it is code or a placeholder.
Range secret_value(std::string_view line, std::size_t at) {
  const std::size_t last = std::min(line.size(), at + kMaxName);
  while (at < last && (line[at] == ' ' || line[at] == '\t' || line[at] == '>')) ++at;
  if (at >= line.size()) return {};
  const char quote = line[at];
  if (quote == '"' || quote == '\'' || quote == '`') {
    const auto end = line.substr(0, at + kMaxValue).find(quote, at + 1);
    if (end == std::string_view::npos || end < at + 9) return {};
    const std::string_view value = line.substr(at + 1, end - at - 1);
    const bool placeholder = value.find_first_of("<{$%* ") != std::string_view::npos;
    return placeholder ? Range{} : Range{at + 1, end};
  }
  std::size_t end = at;
  while (end < line.size() && end - at <= kMaxValue && is_opaque(line[end])) ++end;
  static constexpr std::string_view kEnds = " \t\r,;#&";
  const bool ends = end == line.size() || kEnds.find(line[end]) != std::string_view::npos;
  const std::string_view value = line.substr(at, end - at);
  // A call or member chain is code; a secret is opaque.
  const bool opaque = value.size() >= 12 && has_letter_and_digit(value) &&
                      value.find("::") == std::string_view::npos;
  return ends && opaque ? Range{at, end} : Range{};
}

/// `name` before an '=' or ':' at `at`.
std::string_view name_before(std::string_view line, std::size_t at) {
  const std::size_t first = at > kMaxName ? at - kMaxName : 0;
  while (at > first && (line[at - 1] == ' ' || line[at - 1] == '"' || line[at - 1] == '\'' ||
                        line[at - 1] == ':')) {
    --at;
  }
  std::size_t begin = at;
  while (begin > first && is_token(line[begin - 1])) --begin;
  return line.substr(begin, at - begin);
}

/// The password of `scheme://user:password@host` whose "://" is at `at`.
Range url_password(std::string_view line, std::size_t at) {
  line = line.substr(0, at + kMaxValue);
  const auto end = std::min(line.find_first_of(" \t\"'<>)/", at + 3), line.size());
  const std::string_view authority = line.substr(at + 3, end - at - 3);
  const auto sign = authority.rfind('@');
  const auto colon = authority.find(':');
  if (sign == std::string_view::npos || colon == std::string_view::npos || colon + 1 >= sign) {
    return {};
  }
  if (authority[colon + 1] == '$' || authority[colon + 1] == '{') return {};
  return {at + 3 + colon + 1, at + 3 + sign};
}

void note(std::vector<Range>& found, Range range) {
  if (range.end > range.begin) found.push_back(range);
}

std::vector<Range> find_secrets(std::string_view line) {
  std::vector<Range> found;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_letter(c) && (i == 0 || !is_token(line[i - 1]))) {
      std::size_t end = i;
      while (end < line.size() && is_token(line[end])) ++end;
      const std::string_view token = line.substr(i, end - i);
      if (is_known_token(token)) note(found, {i, end});
      if (token == "Bearer" || token == "Basic") {
        note(found, secret_value(line, end));
      }
      i = end - 1;
    } else if (c == '=' || c == ':') {
      if (c == ':' && line.substr(i, 3) == "://") note(found, url_password(line, i));
      if (names_secret(name_before(line, i))) note(found, secret_value(line, i + 1));
    }
  }
  return found;
}

std::string masked_line(std::string_view line, std::vector<Range> found) {
  std::sort(found.begin(), found.end(),
            [](const Range& left, const Range& right) { return left.begin < right.begin; });
  std::string result;
  std::size_t at = 0;
  for (const Range& range : found) {
    if (range.begin < at) continue;
    result += line.substr(at, range.begin - at);
    result += kMask;
    at = range.end;
  }
  result += line.substr(std::min(at, line.size()));
  return result;
}

bool has(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

}  // namespace

std::string mask_credentials(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  bool in_key = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool dashes = has(line, "-----");
    if (in_key) {
      in_key = !(dashes && has(line, "-----END"));
      result += in_key ? kMask : line;
    } else {
      in_key =
          dashes && has(line, "-----BEGIN") && has(line, "PRIVATE KEY") && !has(line, "-----END");
      auto found = find_secrets(line);
      if (found.empty()) {
        result += line;
      } else {
        result += masked_line(line, std::move(found));
      }
    }
    if (end < text.size()) result += '\n';
    at = end + 1;
  }
  return result;
}

}  // namespace brainstorm
