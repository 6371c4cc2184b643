#pragma once
// .gitignore files, for folders where git itself cannot be asked.

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace brainstorm {

/// The rules of .gitignore files from a folder down to one of its directories; a later rule
/// overrides an earlier one. Understood are comments, "\" before a special first character, "!", a
/// trailing "/", anchoring by "/", *, **, ?, and [sets] with ranges and "!" or "^".
class IgnoreRules {
 public:
  /// Adds the lines of a file that lies in `directory` ("" for the folder, else "a/b").
  void add(std::string_view content, const std::string& directory);
  /// Whether the last rule that fits `path` (relative to the folder) ignores it. Parents are the
  /// caller's business: nothing below an ignored directory can be taken back in.
  bool ignores(std::string_view path, bool is_directory) const;
  std::size_t size() const { return rules_.size(); }
  /// Forgets the rules after the first `count`: on the way back up.
  void shrink(std::size_t count) { rules_.resize(count); }

 private:
  struct Token {
    enum class Kind { literal, any, set, star, all, directories, inside };
    Kind kind = Kind::literal;
    char character = 0;
    std::array<bool, 256> members{};
  };
  struct Rule {
    std::string directory;  // with a trailing '/', or empty
    std::string literal;    // set when there is no wildcard
    std::vector<Token> tokens;
    bool anchored = false;  // compared with the whole path below `directory`, else with the name
    bool directories_only = false;
    bool negated = false;
  };
  static std::vector<Token> compile(std::string_view pattern);
  static bool matches(const std::vector<Token>& tokens, std::string_view text);
  static bool fits(const Rule& rule, std::string_view path, bool is_directory);

  std::vector<Rule> rules_;
};

}  // namespace brainstorm
