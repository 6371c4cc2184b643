#pragma once
// What to look for in a workspace: the question's content words, and words that mark a line as
// interesting to one lens or another.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "commands/convergence/words.h"

namespace brainstorm::offline {

/// One content word of the question.
struct Term {
  std::string stem;
  std::string shown;  // as the question has it, case-folded
  double weight = 1;  // less for verbs of the request (replace, …) and compounds (hand-written)
  bool subject() const { return weight >= 1; }
};

/// What a word says about its line, as bits.
enum Mark : std::uint8_t {
  kDebt = 1,          // TODO, FIXME, HACK, XXX
  kFailure = 2,       // error handling and checks
  kMeasure = 4,       // measurements and expectations
  kExtension = 8,     // points where something can be added
  kAlternative = 16,  // other ways, old ways, trials
  kDefinition = 32,   // begins a named thing
  kImport = 64,       // only names what is used elsewhere
  kBuild = 128,       // versions, targets, dependencies
};

struct Meaning {
  std::uint32_t terms = 0;  // bit i: Vocabulary::terms()[i]
  std::uint8_t marks = 0;
};

/// Recognises words. Inflections count as the same term (parser, parsers), identifiers by their
/// parts.
class Vocabulary {
 public:
  static constexpr std::size_t kMaxTerms = 32;

  explicit Vocabulary(std::string_view question);
  const std::vector<Term>& terms() const { return terms_; }

  /// What one word stands for: a run of letters and digits, already split at camelCase humps.
  Meaning meaning(std::string_view word);
  /// All that a line says. Only its first 2000 bytes are read. Adds its number of words to `words`
  /// and the uses of each term to `counts` (as many as terms()).
  Meaning read(std::string_view line, std::uint32_t& words, std::vector<std::uint32_t>& counts);

 private:
  Meaning compute(std::string_view word) const;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::vector<Term> terms_;
  words::Language language_;
  std::unordered_map<std::string, Meaning, Hash, std::equal_to<>> known_;
};

}  // namespace brainstorm::offline
