#include "server/research/ignore.h"

#include <algorithm>
#include <optional>

#include "protocol/text.h"

namespace brainstorm {
namespace {

constexpr std::size_t kMaxPattern = 500;
constexpr std::size_t kMaxRules = 2000;

unsigned char byte(char c) { return static_cast<unsigned char>(c); }

/// The members of a set that starts at pattern[at] == '['; sets `at` to its ']'.
std::optional<std::array<bool, 256>> parse_set(std::string_view pattern, std::size_t& at) {
  std::array<bool, 256> members{};
  std::size_t i = at + 1;
  const bool inverted = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (inverted) ++i;
  for (bool first = true; i < pattern.size(); ++i, first = false) {
    if (pattern[i] == ']' && !first) {
      if (inverted) {
        for (bool& member : members) member = !member;
      }
      members[byte('/')] = false;
      at = i;
      return members;
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    unsigned last = byte(pattern[i]);
    const unsigned from = last;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      last = byte(pattern[i + 2]);
      i += 2;
    }
    for (unsigned c = from; c <= last; ++c) members[c] = true;
  }
  return std::nullopt;
}

}  // namespace

std::vector<IgnoreRules::Token> IgnoreRules::compile(std::string_view pattern) {
  using Kind = Token::Kind;
  std::vector<Token> tokens;
  const auto push = [&](Kind kind, char c = 0) { tokens.push_back(Token{kind, c, {}}); };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '*') {
      const std::size_t begin = i;
      while (i + 1 < pattern.size() && pattern[i + 1] == '*') ++i;
      const bool whole_part = i > begin && (begin == 0 || pattern[begin - 1] == '/');
      if (whole_part && i + 1 == pattern.size()) {
        push(Kind::all);
      } else if (whole_part && pattern[i + 1] == '/') {
        push(Kind::directories);
        push(Kind::inside);
        ++i;
      } else {
        push(Kind::star);
      }
    } else if (c == '?') {
      push(Kind::any);
    } else if (c == '[') {
      if (auto members = parse_set(pattern, i)) {
        push(Kind::set);
        tokens.back().members = *members;
      } else {
        push(Kind::literal, c);
      }
    } else {
      if (c == '\\' && i + 1 < pattern.size()) ++i;
      push(Kind::literal, pattern[i]);
    }
  }
  return tokens;
}

/// Walks all possibilities at once, so that no pattern can take exponential time.
bool IgnoreRules::matches(const std::vector<Token>& tokens, std::string_view text) {
  using Kind = Token::Kind;
  std::vector<bool> now(tokens.size() + 1, false);
  std::vector<bool> next;
  // Steps over tokens that may stand for nothing.
  const auto settle = [&](std::vector<bool>& states) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!states[i]) continue;
      if (tokens[i].kind == Kind::star) states[i + 1] = true;
      if (tokens[i].kind == Kind::directories) states[i + 1] = states[i + 2] = true;
    }
  };
  now[0] = true;
  settle(now);
  for (const char c : text) {
    next.assign(tokens.size() + 1, false);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!now[i]) continue;
      const Token& token = tokens[i];
      switch (token.kind) {
        case Kind::literal:
          next[i + 1] = next[i + 1] || c == token.character;
          break;
        case Kind::any:
          next[i + 1] = next[i + 1] || c != '/';
          break;
        case Kind::set:
          next[i + 1] = next[i + 1] || token.members[byte(c)];
          break;
        case Kind::star:
          next[i] = next[i] || c != '/';
          break;
        case Kind::all:
          next[i] = next[i + 1] = true;
          break;
        case Kind::directories:
          break;
        case Kind::inside:
          next[i] = true;
          if (c == '/') next[i + 1] = true;
          break;
      }
    }
    settle(next);
    now.swap(next);
  }
  return now[tokens.size()];
}

void IgnoreRules::add(std::string_view content, const std::string& directory) {
  for (std::string_view line : text::lines(content)) {
    if (rules_.size() >= kMaxRules) return;
    if (line.size() > kMaxPattern || line.empty() || line[0] == '#') continue;
    while (!line.empty() && line.back() == ' ' &&
           (line.size() < 2 || line[line.size() - 2] != '\\')) {
      line.remove_suffix(1);
    }
    Rule rule;
    rule.directory = directory.empty() ? "" : directory + "/";
    if (!line.empty() && line[0] == '!') {
      rule.negated = true;
      line.remove_prefix(1);
    }
    if (!line.empty() && line.back() == '/') {
      rule.directories_only = true;
      line.remove_suffix(1);
    }
    rule.anchored = line.find('/') != std::string_view::npos;
    if (!line.empty() && line[0] == '/') line.remove_prefix(1);
    if (line.empty()) continue;
    if (line.find_first_of("*?[\\") == std::string_view::npos) {
      rule.literal = std::string(line);
    } else {
      rule.tokens = compile(line);
    }
    rules_.push_back(std::move(rule));
  }
}

bool IgnoreRules::fits(const Rule& rule, std::string_view path, bool is_directory) {
  if (rule.directories_only && !is_directory) return false;
  if (path.substr(0, rule.directory.size()) != rule.directory) return false;
  std::string_view subject = path.substr(rule.directory.size());
  if (!rule.anchored) subject = subject.substr(subject.rfind('/') + 1);
  if (!rule.literal.empty()) return subject == rule.literal;
  return matches(rule.tokens, subject);
}

bool IgnoreRules::ignores(std::string_view path, bool is_directory) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (fits(*rule, path, is_directory)) return !rule->negated;
  }
  return false;
}

}  // namespace brainstorm
