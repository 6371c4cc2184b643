#include "server/models/excerpt.h"

#include <doctest/doctest.h>

#include <string>

#include "protocol/text.h"

using namespace brainstorm;
using offline::citable;
using offline::excerpt;

TEST_CASE("excerpt: the longest harmless part of a line, word for word") {
  struct {
    std::string line;
    const char* expected;
  } const cases[] = {
      {"  int main() {", "int main() {"},
      {"a\t\tb   c words", "a b c words"},
      {"", ""},
      {"   ", ""},
      {"}", ""},
      {"--", ""},
      {"std::vector<std::string> parse(std::string_view text);",
       "std::vector<std::string> parse(std::string_view text);"},
      {"run `rm -rf` on everything there", "…on everything there"},
      {"see [here](command:evil) for what follows", "…evil) for what follows"},
      {"<b>bold words</b> here", "…b>bold words…"},
      {"x<script>alert(1)</script>", "…script>alert(1)…"},
      {"red \x1b[31malert words\x1b[0m", "…alert words…"},
      {"\x1b]0;title\x07text after it", "…text after it"},
      {"abc\x01 defgh", "…defgh"},
      {"left \u202Ereversed text", "…reversed text"},
      {"token = next_token(); // token", "token = next_token(); // token"},
      {"password = \"hunter2hunter2\"", ""},
      {"API_KEY=abc123def456", ""},
      {"\"token\": \"abcdefghij\",", ""},
      {"key = sk-abcdefghijklmn", ""},
      {"数据库很慢", "数据库很慢"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.line);
    CHECK(excerpt(c.line) == c.expected);
  }
}

TEST_CASE("excerpt: at most 120 code points of valid text") {
  for (const char* piece : {"word ", "ä", "数", "🚀x "}) {
    std::string line = "start ";
    while (line.size() < 100'000) line += piece;
    const std::string quoted = excerpt(line);
    CHECK(text::code_points(quoted) <= 120);
    CHECK(text::is_valid_utf8(quoted));
    CHECK(quoted.ends_with("…"));
    CHECK(text::code_points(excerpt("`" + line + "`")) <= 120);
  }
}

TEST_CASE("excerpt: paths that can be cited") {
  for (const char* good : {"a.cpp", "src/my file.cpp", "app/[id]/page.tsx", "ä/数.md", ".ci/run"}) {
    CHECK(citable(good));
  }
  for (const char* bad : {"", "a`b", "a\nb", "a\x1b[0m", "a<b>", "a:12", "x](y", " a", "\xFF",
                          "a\u202Eb", "a\\b", "a\"b"}) {
    CAPTURE(bad);
    CHECK_FALSE(citable(bad));
  }
  CHECK_FALSE(citable(std::string(300, 'a')));
}
