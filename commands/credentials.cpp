#include "commands/credentials.h"

#include <algorithm>
#include <array>

#include "protocol/text.h"

namespace brainstorm {
namespace {

struct Shape {
  std::string_view prefix;
  std::size_t least;  // characters of the key's alphabet that follow
  std::string_view rule;
};

constexpr std::array kShapes = {
    Shape{"sk-", 20, "an API key that begins with sk-"},
    Shape{"AKIA", 16, "an AWS access key"},
    Shape{"ASIA", 16, "an AWS access key"},
    Shape{"ghp_", 30, "a GitHub token"},
    Shape{"gho_", 30, "a GitHub token"},
    Shape{"ghs_", 30, "a GitHub token"},
    Shape{"github_pat_", 30, "a GitHub token"},
    Shape{"glpat-", 18, "a GitLab token"},
    Shape{"xoxb-", 16, "a Slack token"},
    Shape{"xoxp-", 16, "a Slack token"},
    Shape{"AIza", 33, "a Google API key"},
    Shape{"npm_", 30, "an npm token"},
    Shape{"hf_", 30, "a Hugging Face token"},
    Shape{"eyJhbGciOi", 20, "a JSON web token"},
};

constexpr std::array<std::string_view, 9> kNames = {"password", "passwd",       "pwd",
                                                    "secret",   "api_key",      "apikey",
                                                    "api-key",  "access_token", "auth_token"};

constexpr std::size_t kLeastValue = 8;

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

bool is_word(char c) { return is_key_character(c) && c != '.'; }

std::optional<Credential> key_shape(std::string_view text, std::size_t at) {
  if (at > 0 && is_word(text[at - 1])) return std::nullopt;
  for (const Shape& shape : kShapes) {
    if (!text.substr(at).starts_with(shape.prefix)) continue;
    std::size_t end = at + shape.prefix.size();
    while (end < text.size() && is_key_character(text[end])) ++end;
    if (end - at - shape.prefix.size() >= shape.least) return Credential{shape.rule, at, end - at};
  }
  return std::nullopt;
}

std::optional<Credential> private_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  if (!text.substr(at).starts_with(kBegin)) return std::nullopt;
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  if (line.find("PRIVATE KEY") == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find("-----END ", at);
  const std::size_t stop = end == std::string_view::npos ? text.size() : text.find('\n', end);
  return Credential{"a private key", at, std::min(stop, text.size()) - at};
}

/// `name = value`, `name: "value"`; the value is what counts and what is cut out.
std::optional<Credential> assignment(std::string_view text, std::size_t at) {
  for (const std::string_view name : kNames) {
    if (!text::starts_with_ci(text.substr(at), name)) continue;
    std::size_t i = at + name.size();
    auto skip = [&](std::string_view set) {
      while (i < text.size() && set.find(text[i]) != std::string_view::npos) ++i;
    };
    skip("\"'` \t");
    if (i >= text.size() || (text[i] != '=' && text[i] != ':')) continue;
    skip("=:");
    skip("\"'` \t");
    const std::size_t start = i;
    while (i < text.size() && static_cast<unsigned char>(text[i]) > ' ' && text[i] != '"' &&
           text[i] != '\'' && text[i] != '`' && text[i] != ',' && text[i] != ';') {
      ++i;
    }
    if (i - start >= kLeastValue)
      return Credential{"a password or key assignment", start, i - start};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Credential> find_credential(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '-') {
      if (auto found = private_key(text, at)) return found;
    } else if (is_word(c)) {
      if (auto found = key_shape(text, at)) return found;
      if (auto found = assignment(text, at)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace brainstorm
