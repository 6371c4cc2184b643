#include "protocol/text.h"

#include <doctest/doctest.h>

namespace brainstorm::text {
namespace {

const std::string kBad = "\xEF\xBF\xBD";

TEST_CASE("UTF-8 is judged strictly and repaired sequence by sequence") {
  struct Row {
    const char* name;
    std::string input;
    std::string repaired;
  };
  const std::vector<Row> rows = {
      {"empty", "", ""},
      {"ascii", "abc", "abc"},
      {"two bytes", "na\xC3\xAFve", "na\xC3\xAFve"},
      {"three bytes", "頭", "頭"},
      {"four bytes", "🦊", "🦊"},
      {"highest code point", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"last before the surrogates", "\xED\x9F\xBF", "\xED\x9F\xBF"},
      {"NUL is a character", std::string("a\0b", 3), std::string("a\0b", 3)},
      {"stray continuation", "a\x80z", "a" + kBad + "z"},
      {"overlong slash", "\xC0\xAF", kBad + kBad},
      {"overlong three", "\xE0\x80\xAF", kBad + kBad + kBad},
      {"overlong four", "\xF0\x80\x80\xAF", kBad + kBad + kBad + kBad},
      {"surrogate", "\xED\xA0\x80", kBad + kBad + kBad},
      {"over U+10FFFF", "\xF4\x90\x80\x80", kBad + kBad + kBad + kBad},
      {"no such lead", "\xF5\xFF\xFE", kBad + kBad + kBad},
      {"cut at the end", "ab\xE5\xA4", "ab" + kBad},
      {"cut by ascii", "\xE5\xA4x", kBad + "x"},
      {"cut by another lead", "\xF0\x9F\xC3\xA9", kBad + "é"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(is_valid_utf8(row.input) == (row.input == row.repaired));
    CHECK(repair_utf8(row.input) == row.repaired);
    CHECK(is_valid_utf8(row.repaired));
  }
}

TEST_CASE("lengths in code points and UTF-16 units") {
  struct Row {
    const char* input;
    std::size_t points;
    std::size_t units;
  };
  for (const Row& row : std::vector<Row>{{"", 0, 0},
                                         {"abc", 3, 3},
                                         {"é", 1, 1},
                                         {"頭脳", 2, 2},
                                         {"🦊", 1, 2},
                                         {"a🦊b🦊", 4, 6},
                                         {"\xEF\xBF\xBF", 1, 1},
                                         {"\xF0\x90\x80\x80", 1, 2}}) {
    CAPTURE(row.input);
    CHECK(code_points(row.input) == row.points);
    CHECK(utf16_units(row.input) == row.units);
  }
}

TEST_CASE("a UTF-16 column becomes a byte offset that never splits a character") {
  // a 🦊 é 頭 at bytes 0, 1–4, 5–6, 7–9; in UTF-16: 0, 1–2, 3, 4
  const std::string line = "a🦊é頭";
  const std::vector<std::size_t> bytes = {0, 1, 1, 5, 7, 10, 10};
  for (std::size_t column = 0; column < bytes.size(); ++column) {
    CAPTURE(column);
    CHECK(byte_of_utf16(line, column) == bytes[column]);
  }
  CHECK(byte_of_utf16(line, static_cast<std::size_t>(-1)) == line.size());
  CHECK(byte_of_utf16("", 0) == 0);
  CHECK(byte_of_utf16("", 5) == 0);
}

TEST_CASE("shorten counts code points and shows that it cut") {
  struct Row {
    const char* input;
    std::size_t count;
    const char* output;
  };
  for (const Row& row : std::vector<Row>{{"abc", 3, "abc"},
                                         {"abc", 2, "a…"},
                                         {"abc", 1, "…"},
                                         {"abc", 0, ""},
                                         {"", 0, ""},
                                         {"🦊🦊🦊", 3, "🦊🦊🦊"},
                                         {"🦊🦊🦊", 2, "🦊…"}}) {
    CAPTURE(row.input);
    CAPTURE(row.count);
    CHECK(shorten(row.input, row.count) == row.output);
  }
}

TEST_CASE("trim, one_line and printable") {
  struct Row {
    const char* name;
    std::string input;
    std::string trimmed;
    std::string line;
    std::string printed;
  };
  const std::vector<Row> rows = {
      {"nothing", "", "", "", ""},
      {"only space", " \t\r\n ", "", "", " \t\n "},
      {"inside kept", "  a  b ", "a  b", "a b", "  a  b "},
      {"unicode spaces", "\u00A0\u3000頭\u2003", "頭", "頭", "\u00A0\u3000頭\u2003"},
      {"byte order mark", "\uFEFFx", "x", "x", "\uFEFFx"},
      {"no space is eaten from a character", "à", "à", "à", "à"},
      {"lines", "a\r\nb\tc", "a\r\nb\tc", "a b c", "a\nb\tc"},
      {"controls",
       "a\x01\x7F"
       "b\u0085c",
       "a\x01\x7F"
       "b\u0085c",
       "a b c", "abc"},
      {"colour", "\x1B[1;31mred\x1B[0m", "\x1B[1;31mred\x1B[0m", "[1;31mred [0m", "red"},
      {"cursor", "a\x1B[2Jb\x1B[?25lc", "a\x1B[2Jb\x1B[?25lc", "a [2Jb [?25lc", "abc"},
      {"title by BEL", "\x1B]0;pwned\ax", "\x1B]0;pwned\ax", "]0;pwned x", "x"},
      {"link by ST", "\x1B]8;;http://a\x1B\\x", "\x1B]8;;http://a\x1B\\x", "]8;;http://a \\x", "x"},
      {"title that never ends", "\x1B]0;abc\nnext", "\x1B]0;abc\nnext", "]0;abc next",
       "0;abc\nnext"},
      {"C1 introducer", "\u009B31mred", "\u009B31mred", "31mred", "red"},
      {"C1 string", "\u009D0;t\u009Cx", "\u009D0;t\u009Cx", "0;t x", "x"},
      {"character set", "\x1B(Bx", "\x1B(Bx", "(Bx", "x"},
      {"escape at the end", "x\x1B", "x\x1B", "x", "x"},
      {"sequence cut off", "x\x1B[12", "x\x1B[12", "x [12", "x"},
      {"escape before a character", "\x1B頭", "\x1B頭", "頭", "頭"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(trim(row.input) == row.trimmed);
    CHECK(one_line(row.input) == row.line);
    CHECK(printable(row.input) == row.printed);
    CHECK(is_valid_utf8(printable(row.input)));
  }
}

TEST_CASE("no byte of an escape survives on any input") {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string input = {'\x1B', static_cast<char>(first), static_cast<char>(second), 'x'};
      CHECK(printable(input).find('\x1B') == std::string::npos);
    }
  }
}

TEST_CASE("lines drop their ends, and the last newline starts no line") {
  using Lines = std::vector<std::string_view>;
  CHECK(lines("") == Lines{});
  CHECK(lines("\n") == Lines{""});
  CHECK(lines("a") == Lines{"a"});
  CHECK(lines("a\n") == Lines{"a"});
  CHECK(lines("a\r\nb\n\nc") == Lines{"a", "b", "", "c"});
  CHECK(lines("a\rb\n") == Lines{"a\rb"});
  CHECK(lines("a\r") == Lines{"a\r"});
}

TEST_CASE("comparison without case concerns ASCII only") {
  CHECK(lower_ascii("AbZ[É") == "abz[É");
  CHECK(starts_with_ci("Content-Length", "content-"));
  CHECK(starts_with_ci("abc", ""));
  CHECK_FALSE(starts_with_ci("ab", "abc"));
  CHECK_FALSE(starts_with_ci("xabc", "abc"));
  CHECK(contains_ci("the API_Key is", "api_key"));
  CHECK(contains_ci("", ""));
  CHECK(contains_ci("abc", ""));
  CHECK_FALSE(contains_ci("", "a"));
  CHECK_FALSE(contains_ci("É", "é"));
}

TEST_CASE("join") {
  CHECK(join({}, ", ").empty());
  CHECK(join({"a"}, ", ") == "a");
  CHECK(join({"a", "", "b"}, ", ") == "a, , b");
}

}  // namespace
}  // namespace brainstorm::text
