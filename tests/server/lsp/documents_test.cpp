#include "server/lsp/documents.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace brainstorm;
using lsp::Encoding;

namespace {

lsp::Range range(int line, int character, int end_line, int end_character) {
  return {{line, character}, {end_line, end_character}};
}

std::string edited(const std::string& text, const std::vector<lsp::ContentChange>& changes,
                   Encoding encoding) {
  Documents documents;
  documents.open({"file:///d", text});
  CHECK(documents.change({"file:///d", changes}, encoding));
  return *documents.find("file:///d");
}

}  // namespace

TEST_CASE("44: positions count in the negotiated unit, also beyond the basic plane") {
  // 😀 is 4 bytes and 2 UTF-16 units, é 2 bytes and 1 unit.
  const std::string text = "a😀é\r\nzweite\rdritte\n";
  struct Row {
    lsp::Position position;
    Encoding encoding;
    std::size_t offset;
  };
  const std::vector<Row> rows = {
      {{0, 0}, Encoding::utf16, 0},  {{0, 1}, Encoding::utf16, 1},
      {{0, 2}, Encoding::utf16, 1},  // inside the pair: its start
      {{0, 3}, Encoding::utf16, 5},  {{0, 4}, Encoding::utf16, 7},
      {{0, 99}, Encoding::utf16, 7}, {{0, 1}, Encoding::utf8, 1},
      {{0, 2}, Encoding::utf8, 1},  // inside the sequence: its start
      {{0, 5}, Encoding::utf8, 5},   {{0, 6}, Encoding::utf8, 5},
      {{0, 7}, Encoding::utf8, 7},   {{0, 8}, Encoding::utf8, 7},
      {{1, 0}, Encoding::utf8, 9},   {{2, 0}, Encoding::utf16, 16},
      {{2, 6}, Encoding::utf8, 22},  {{3, 0}, Encoding::utf8, 23},
      {{3, 5}, Encoding::utf16, 23}, {{99, 99}, Encoding::utf8, 23},
  };
  for (const Row& row : rows) {
    CAPTURE(row.position.line);
    CAPTURE(row.position.character);
    CAPTURE(row.encoding == Encoding::utf8);
    CHECK(offset_of(text, row.position, row.encoding) == row.offset);
  }
}

TEST_CASE("incremental changes apply one after the other") {
  using lsp::ContentChange;
  struct Row {
    std::string text;
    std::vector<ContentChange> changes;
    Encoding encoding;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {"abc", {{range(0, 1, 0, 2), "X"}}, Encoding::utf16, "aXc"},
      {"a\nb\nc", {{range(0, 1, 2, 0), ""}}, Encoding::utf16, "ac"},
      {"😀😀", {{range(0, 2, 0, 2), "!"}}, Encoding::utf16, "😀!😀"},
      {"😀😀", {{range(0, 4, 0, 8), "é"}}, Encoding::utf8, "😀é"},
      {"", {{range(0, 0, 0, 0), "new"}, {range(0, 3, 0, 3), "er"}}, Encoding::utf8, "newer"},
      {"old", {{std::nullopt, "whole"}, {range(0, 0, 0, 1), "W"}}, Encoding::utf8, "Whole"},
      {"abc", {{range(9, 9, 9, 9), "end"}}, Encoding::utf8, "abcend"},
      {"abc", {{range(0, 2, 0, 1), "X"}}, Encoding::utf8, "aXc"},  // ends in the wrong order
      {"x\r\ny", {{range(0, 99, 1, 0), "-"}}, Encoding::utf16, "x-y"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(edited(row.text, row.changes, row.encoding) == row.expected);
  }
}

TEST_CASE("45: one document under every spelling of its URI") {
  Documents documents;
  documents.open({"file:///c%3A/a%20b.txt", "text"});
  CHECK(documents.find("file:///C:/a b.txt") != nullptr);
  CHECK(documents.count() == 1);
  documents.close("file:///C%3a/a%20b.txt");
  CHECK(documents.count() == 0);
}

TEST_CASE("documents that are not open are not changed") {
  Documents documents;
  CHECK_FALSE(documents.change({"file:///none", {{std::nullopt, "x"}}}, Encoding::utf8));
  CHECK(documents.find("file:///none") == nullptr);
  documents.open({"untitled:Untitled-1", "draft"});
  CHECK(*documents.find("untitled:Untitled-1") == "draft");
}
