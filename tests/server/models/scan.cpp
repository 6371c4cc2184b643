#include "server/models/scan.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "protocol/text.h"

using namespace brainstorm;
using namespace brainstorm::offline;

namespace {

std::string shown(const Vocabulary& vocabulary) {
  std::vector<std::string> parts;
  for (const Term& term : vocabulary.terms()) {
    parts.push_back(term.subject() ? term.shown : "(" + term.shown + ")");
  }
  return text::join(parts, " ");
}

}  // namespace

TEST_CASE("terms: what a question asks to look for") {
  struct {
    const char* question;
    const char* expected;  // in brackets: weighs less
  } const cases[] = {
      {"", ""},
      {"Should we do it?", ""},
      {"Should we replace the hand-written parser by a generator?",
       "(replace) (hand) (written) parser generator"},
      {"Why is parse_expr in src/wire/Parser.cpp slow?", "parse expr src wire parser cpp slow"},
      {"Parsers, parser and PARSING", "parsers parsing"},
      {"C++ or Rust?", "rust"},
      {"Wie verbessern wir die Datenbank?", "verbessern datenbank"},
      {"数据库", "数据 据库"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.question);
    CHECK(shown(Vocabulary(c.question)) == c.expected);
  }
  std::string many;
  for (int i = 0; i < 100; ++i) many += "word" + std::to_string(i) + " ";
  CHECK(Vocabulary(many).terms().size() == Vocabulary::kMaxTerms);
}

TEST_CASE("terms: lines are read by stems and parts of identifiers") {
  Vocabulary vocabulary("How fast is the parser cache?");  // fast parser cache
  REQUIRE(shown(vocabulary) == "fast parser cache");
  struct {
    const char* line;
    std::uint32_t terms;
    int marks;
  } const cases[] = {
      {"", 0, 0},
      {"the parsers", 2, 0},
      {"JsonParserCache", 6, 0},
      {"json_parser_cache", 6, 0},
      {"sparser", 0, 0},
      {"// TODO: fast", 1, kDebt},
      {"todo list", 0, 0},
      {"throw Error", 0, kFailure},
      {"class Parser", 2, kDefinition},
      {"größe Cache", 4, 0},
  };
  for (const auto& c : cases) {
    CAPTURE(c.line);
    std::uint32_t words = 0;
    std::vector<std::uint32_t> counts(3);
    const Meaning meaning = vocabulary.read(c.line, words, counts);
    CHECK(meaning.terms == c.terms);
    CHECK(static_cast<int>(meaning.marks) == c.marks);
  }
}

TEST_CASE("scan: kinds of files") {
  struct {
    const char* path;
    FileKind kind;
  } const cases[] = {
      {"src/parser.cpp", FileKind::source},   {"tests/parser.cpp", FileKind::test},
      {"src/parser_test.go", FileKind::test}, {"a/b.spec.ts", FileKind::test},
      {"src/contest.cpp", FileKind::source},  {"bench/run.cpp", FileKind::bench},
      {"README.md", FileKind::docs},          {"docs/a.rst", FileKind::docs},
      {"CMakeLists.txt", FileKind::manifest}, {"web/package.json", FileKind::manifest},
      {"Cargo.toml", FileKind::manifest},     {".github/workflows/x.yml", FileKind::ci},
      {".gitlab-ci.yml", FileKind::ci},       {"settings.yaml", FileKind::config},
      {"logo.svg", FileKind::other},          {"", FileKind::other},
      {"Makefile", FileKind::manifest},       {"go.mod", FileKind::manifest},
  };
  for (const auto& c : cases) {
    CAPTURE(c.path);
    CHECK(kind_of(c.path) == c.kind);
  }
  CHECK(is_generated("web/package-lock.json"));
  CHECK(is_generated("lib/jquery.min.js"));
  CHECK_FALSE(is_generated("package.json"));
}

TEST_CASE("scan: the same whatever the size of its steps, and bounded") {
  std::string content = "\n\nfirst real line\n";
  for (int i = 0; i < 500; ++i) {
    content += i % 3 == 0 ? "a parser here\r\n" : i % 3 == 1 ? "an error there\n" : "other\n";
  }
  content += std::string(100'000, 'x') + " parser";
  for (const std::size_t step : {std::size_t{1}, std::size_t{64}, std::size_t{10'000'000}}) {
    Vocabulary vocabulary("parser");
    FileScanner scanner("src/x.cpp", content, vocabulary);
    while (scanner.step(step)) continue;
    const FileScan scan = scanner.take();
    CHECK(scan.lines == 504);
    CHECK(scan.first_line == 3);
    CHECK(scan.counts == std::vector<std::uint32_t>{167});  // not the one past 2000 bytes
    REQUIRE(scan.lines_by_terms.size() == 1);
    CHECK(scan.lines_by_terms[0] == std::pair<std::uint32_t, std::uint32_t>(1, 167));
    CHECK(scan.hits.size() == 64);
    CHECK(scan.hits[0].line == 4);
    CHECK(scan.holds(1));
    CHECK_FALSE(scan.holds(2));
  }
}
