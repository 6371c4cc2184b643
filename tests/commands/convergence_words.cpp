#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "commands/convergence/similarity.h"
#include "commands/convergence/words.h"
#include "protocol/text.h"

using namespace brainstorm;

namespace {

std::string spaced(const std::vector<std::string>& parts) { return text::join(parts, " "); }

struct Case {
  const char* input;
  const char* expected;  // joined by spaces, or by | for sentences
};

}  // namespace

TEST_CASE("words: tokens of prose, identifiers and scripts") {
  const Case cases[] = {
      {"", ""},
      {"   \n\t", ""},
      {"Hello, World!", "hello world"},
      {"The hand-written parser", "the hand written parser"},
      {"don't l'outil it\u2019s", "don t l outil it s"},
      {"snake_case_name", "snake_case_name snake case name"},
      {"camelCase", "camelcase camel case"},
      {"HTTPServerError", "httpservererror http server error"},
      {"parser.cpp", "parser.cpp parser cpp"},
      {"src/wire/parser.cpp:120", "src wire parser.cpp parser cpp 120"},
      {"__init__", "init"},
      {"3.14 of 2024", "3.14 of 2024"},
      {"utf8 p50", "utf8 p50"},
      {"C++ and C# and c", "c++ and c# and c"},
      {"F# or F", "f# or f"},
      {"GRÖSSE Größe", "grösse grösse"},
      {"\uFB01le", "file"},                  // ligature
      {"\uFF37\uFF49\uFF44\uFF45", "wide"},  // full-width letters
      {"cafe\u0301", "caf\u00E9"},           // combining accent
      {"🚀 ship it 👩‍💻!", "ship it"},
      {"🚀🚀", ""},
      {"数据库", "数据 据库"},
      {"库", "库"},
      {"Привет МИР", "привет мир"},
      {"\xFF\xFE bad bytes", "bad bytes"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.input);
    CHECK(spaced(words::tokens(c.input)) == c.expected);
  }
}

TEST_CASE("words: the language is told by its stop words") {
  using words::Language;
  CHECK(words::guess_language("Should we replace the parser?") == Language::english);
  CHECK(words::guess_language("Sollen wir den Parser durch einen Generator ersetzen?") ==
        Language::german);
  CHECK(words::guess_language("Faut-il remplacer notre analyseur par un générateur ?") ==
        Language::french);
  CHECK(words::guess_language("¿Debemos cambiar la base de datos por otra?") == Language::spanish);
  CHECK(words::guess_language("Postgres") == Language::english);
  CHECK(words::guess_language("") == Language::english);
}

TEST_CASE("words: stems") {
  CHECK(words::stem("parsers") == "parser");
  CHECK(words::stem("caching") == words::stem("cached"));
  CHECK(words::stem("datenbanken", words::Language::german) ==
        words::stem("datenbank", words::Language::german));
  CHECK(words::stem("remplacement", words::Language::french) ==
        words::stem("remplacements", words::Language::french));
  CHECK(words::stem("parser.cpp") == "parser.cpp");
  CHECK(words::stem("c++") == "c++");
  CHECK(words::stem("") == "");
}

TEST_CASE("words: content terms leave out what says nothing") {
  const Case cases[] = {
      {"Should we replace the hand-written parser by a generator?",
       "replac hand written parser generat"},
      {"the and of", ""},
      {"We don't, isn't it?", ""},
      {"x y z", ""},
      {"Sollen wir die Datenbanken ersetzen?", "datenbank ersetz"},
      {"die processes", "die process"},  // an English verb here, a German article there
  };
  for (const Case& c : cases) {
    CAPTURE(c.input);
    CHECK(spaced(words::content_terms(c.input)) == c.expected);
  }
}

TEST_CASE("words: sentences") {
  const Case cases[] = {
      {"", ""},
      {"One. Two! Three? Four", "One.|Two!|Three?|Four"},
      {"See parser.cpp and 3.14 now. Next", "See parser.cpp and 3.14 now.|Next"},
      {"Use a cache, e.g. Redis. Or not.", "Use a cache, e.g. Redis.|Or not."},
      {"It waits... then goes on.", "It waits... then goes on."},
      {"\"Quoted.\" Then (this one.) Done", "\"Quoted.\"|Then (this one.)|Done"},
      {"one line\nand its rest. Another\n\n- bullet\n- second\n1. numbered",
       "one line and its rest.|Another|- bullet|- second|1. numbered"},
      {"## Heading\ntext", "## Heading|text"},
      {"In `a. B` nothing ends. Here it does.", "In `a. B` nothing ends.|Here it does."},
      {"An open ` tick. Next.", "An open ` tick.|Next."},
      {"一。二！三", "一。|二！|三"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.input);
    CHECK(text::join(words::sentences(c.input), "|") == c.expected);
  }
}

TEST_CASE("similarity: keyword Jaccard over stems") {
  struct {
    const char* a;
    const char* b;
    double expected;
  } const cases[] = {
      {"", "", 0},
      {"cache", "", 0},
      {"the cache", "a cache", 1},
      {"cache invalidation", "invalidate caches", 1},
      {"cache reads", "cache writes", 1.0 / 3},
      {"cache", "queue", 0},
      {"Parser PARSER parser", "parser", 1},
      {"🚀", "🚀", 0},
      {"数据库", "数据库", 1},
  };
  for (const auto& c : cases) {
    CAPTURE(c.a);
    CAPTURE(c.b);
    CHECK(similarity(c.a, c.b) == doctest::Approx(c.expected));
    CHECK(similarity(c.b, c.a) == similarity(c.a, c.b));
  }
}
