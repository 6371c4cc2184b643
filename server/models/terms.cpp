#include "server/models/terms.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "commands/prompts/data.h"
#include "protocol/json.h"
#include "protocol/text.h"

namespace brainstorm::offline {
namespace {

constexpr std::size_t kLineBytes = 2000;     // minified files have one endless line
constexpr std::size_t kWordBytes = 64;       // longer runs are encoded data
constexpr std::size_t kKnownWords = 30'000;  // beyond it words are judged anew each time

struct MarkWords {
  Mark mark;
  std::string_view words;  // lower-case, separated by spaces
};

constexpr std::array kMarks = {
    MarkWords{
        kFailure,
        "assert asserts error errors err except exception exceptions catch throw throws "
        "raise rescue panic abort fatal fail fails failed failure unwrap invalid warning warn "
        "timeout retry rollback overflow unreachable ensure must never"},
    MarkWords{kMeasure,
              "bench benchmark benchmarks perf performance latency throughput elapsed duration "
              "metric metrics measure measured profile coverage expect expects equal equals check "
              "test tests median percent count size bytes memory milliseconds ms"},
    MarkWords{kExtension,
              "interface virtual plugin plugins extend extends extension extensions register hook "
              "hooks trait callback override abstract factory adapter provider handler feature "
              "features support supports public export exports module template reuse api"},
    MarkWords{kAlternative,
              "instead alternative alternatives alternatively workaround experimental experiment "
              "prototype legacy deprecated fallback optional variant custom another otherwise "
              "convert converter generated generate demo example examples"},
    MarkWords{kDefinition,
              "class struct def fn func function enum type interface trait module impl namespace "
              "record protocol"},
    MarkWords{kImport, "import include using require package from use"},
    MarkWords{
        kBuild,
        "version versions depends dependency dependencies require requires build install "
        "target targets compiler library libraries deploy deployment release runs docker image "
        "script scripts option options config configure env environment"},
};

constexpr std::array<std::string_view, 4> kDebtWords = {"TODO", "FIXME", "HACK", "XXX"};

const std::unordered_map<std::string, std::uint8_t>& mark_words() {
  static const auto marks = [] {
    std::unordered_map<std::string, std::uint8_t> made;
    for (const MarkWords& list : kMarks) {
      for (std::string_view rest = list.words; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        std::uint8_t& bits = made[std::string(rest.substr(0, end))];
        bits = static_cast<std::uint8_t>(bits | list.mark);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    return made;
  }();
  return marks;
}

/// Verbs that say what to do rather than what it is about.
const std::unordered_set<std::string>& request_words() {
  static const auto verbs = [] {
    std::unordered_set<std::string> made;
    const auto shipped = json::parse(data::words);
    const Json* list = shipped ? json::find(*shipped, "imperatives") : nullptr;
    if (list == nullptr || !list->is_array()) return made;
    for (const Json& word : *list) {
      if (word.is_string()) made.insert(words::stem(word.get<std::string>()));
    }
    return made;
  }();
  return verbs;
}

/// True when the tokens after `i` are the parts of token `i`: an identifier is found by its parts.
bool whole_of_parts(const std::vector<std::string>& tokens, std::size_t i) {
  std::string whole;
  for (const char c : tokens[i]) {
    if (c != '_' && c != '.') whole += c;
  }
  std::string parts;
  for (std::size_t k = i + 1; k < tokens.size() && parts.size() < whole.size(); ++k) {
    parts += tokens[k];
    if (parts == whole) return k > i + 1;
  }
  return false;
}

/// Stems of words joined by hyphens: they qualify (hand-written, long-term) more often than they
/// name.
std::unordered_set<std::string> compounds(std::string_view question, words::Language language) {
  std::unordered_set<std::string> stems;
  std::string chunk;
  const auto close = [&] {
    const std::size_t hyphen = chunk.find('-', 1);
    if (hyphen != std::string::npos && hyphen + 1 < chunk.size()) {
      for (const std::string& token : words::tokens(chunk)) {
        stems.insert(words::stem(token, language));
      }
    }
    chunk.clear();
  };
  for (const char c : question) {
    if (c == ' ' || c == '\t' || c == '\n') {
      close();
    } else {
      chunk += c;
    }
  }
  close();
  return stems;
}

bool searchable(std::string_view token) {
  return token.size() > 1 && token.size() <= kWordBytes &&
         token.find_first_of("+#._") == std::string_view::npos;
}

bool upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
bool lower(unsigned char c) { return c >= 'a' && c <= 'z'; }
bool digit(unsigned char c) { return c >= '0' && c <= '9'; }
bool part_of_word(unsigned char c) { return upper(c) || lower(c) || digit(c) || c >= 0x80; }

bool hump(std::string_view line, std::size_t i) {
  const auto at = [&](std::size_t k) { return static_cast<unsigned char>(line[k]); };
  if (!upper(at(i))) return false;
  if (lower(at(i - 1)) || digit(at(i - 1))) return true;
  return upper(at(i - 1)) && i + 1 < line.size() && lower(at(i + 1));
}

}  // namespace

Vocabulary::Vocabulary(std::string_view question) : language_(words::guess_language(question)) {
  const auto tokens = words::tokens(question);
  const auto qualifying = compounds(question, language_);
  for (std::size_t i = 0; i < tokens.size() && terms_.size() < kMaxTerms; ++i) {
    const std::string& token = tokens[i];
    if (!searchable(token) || words::is_stop_word(token, language_)) continue;
    if (whole_of_parts(tokens, i)) continue;
    Term term{words::stem(token, language_), token, 1};
    const auto same = [&](const Term& one) { return one.stem == term.stem; };
    if (std::any_of(terms_.begin(), terms_.end(), same)) continue;
    if (request_words().count(words::stem(token)) > 0) term.weight = 0.3;
    if (qualifying.count(term.stem) > 0) term.weight = 0.5;
    terms_.push_back(std::move(term));
  }
}

Meaning Vocabulary::meaning(std::string_view word) {
  if (const auto found = known_.find(word); found != known_.end()) return found->second;
  const Meaning computed = compute(word);
  if (known_.size() < kKnownWords) known_.emplace(word, computed);
  return computed;
}

Meaning Vocabulary::compute(std::string_view word) const {
  Meaning found;
  if (word.size() > kWordBytes) return found;
  if (std::find(kDebtWords.begin(), kDebtWords.end(), word) != kDebtWords.end()) {
    found.marks = kDebt;
  }
  const bool ascii = std::all_of(word.begin(), word.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  // An ASCII word is one token already; tokens() is slow and serves the other scripts.
  const auto tokens =
      ascii ? std::vector<std::string>{text::lower_ascii(word)} : words::tokens(word);
  for (const std::string& token : tokens) {
    if (const auto marked = mark_words().find(token); marked != mark_words().end()) {
      found.marks = static_cast<std::uint8_t>(found.marks | marked->second);
    }
    const std::string stem = words::stem(token, language_);
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i].stem == stem) found.terms |= std::uint32_t{1} << i;
    }
  }
  return found;
}

Meaning Vocabulary::read(std::string_view line, std::uint32_t& words,
                         std::vector<std::uint32_t>& counts) {
  Meaning found;
  line = line.substr(0, kLineBytes);
  for (std::size_t i = 0; i < line.size();) {
    if (!part_of_word(static_cast<unsigned char>(line[i]))) {
      ++i;
      continue;
    }
    const std::size_t begin = i++;
    while (i < line.size() && part_of_word(static_cast<unsigned char>(line[i])) && !hump(line, i)) {
      ++i;
    }
    ++words;
    if (i - begin < 2) continue;
    const Meaning one = meaning(line.substr(begin, i - begin));
    found.marks = static_cast<std::uint8_t>(found.marks | one.marks);
    found.terms |= one.terms;
    for (std::uint32_t bits = one.terms, k = 0; bits != 0; bits >>= 1, ++k) {
      if ((bits & 1) != 0) ++counts[k];
    }
  }
  return found;
}

}  // namespace brainstorm::offline
