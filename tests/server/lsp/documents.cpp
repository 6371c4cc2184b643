#include "server/lsp/documents.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace brainstorm;
using lsp::Encoding;
using lsp::Position;
using lsp::Range;

TEST_CASE("documents: the offset of a position") {
  struct Case {
    std::string text;
    Position position;
    std::size_t utf16;
    std::size_t utf8;
  };
  // "𝒳" is 4 bytes and 2 UTF-16 units, "é" 2 bytes and 1 unit.
  const std::vector<Case> cases{
      {"", {0, 0}, 0, 0},
      {"", {5, 5}, 0, 0},
      {"abc", {0, 2}, 2, 2},
      {"abc\ndef", {1, 1}, 5, 5},
      {"abc\ndef", {0, 99}, 3, 3},    // past its line: the line's end
      {"abc\r\ndef", {0, 99}, 3, 3},  // not between \r and \n
      {"abc\r\ndef", {1, 0}, 5, 5},
      {"abc\rdef", {1, 1}, 5, 5},  // a lone \r ends a line too
      {"abc\ndef", {7, 0}, 7, 7},  // past the last line: the end
      {"a𝒳b", {0, 1}, 1, 1},
      {"a𝒳b", {0, 2}, 1, 1},  // inside the character: its start
      {"a𝒳b", {0, 3}, 5, 1},
      {"a𝒳b", {0, 4}, 6, 1},
      {"a𝒳b", {0, 5}, 6, 5},
      {"é\né!", {1, 1}, 5, 3},
      {"é\né!", {1, 2}, 6, 5},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CAPTURE(one.position.line);
    CAPTURE(one.position.character);
    CHECK(offset_of(one.text, one.position, Encoding::utf16) == one.utf16);
    CHECK(offset_of(one.text, one.position, Encoding::utf8) == one.utf8);
  }
}

TEST_CASE("documents: incremental changes apply one after the other") {
  struct Case {
    std::string before;
    std::vector<lsp::ContentChange> changes;
    std::string after;
  };
  const std::vector<Case> cases{
      {"one\ntwo", {{Range{{0, 0}, {0, 3}}, "1"}}, "1\ntwo"},
      {"one\ntwo", {{Range{{0, 3}, {1, 0}}, ""}}, "onetwo"},
      {"one\ntwo", {{Range{{1, 3}, {1, 3}}, "!"}, {Range{{1, 4}, {1, 4}}, "?"}}, "one\ntwo!?"},
      {"one", {{std::nullopt, "all new"}, {Range{{0, 0}, {0, 3}}, "All"}}, "All new"},
      {"a🎈b", {{Range{{0, 1}, {0, 3}}, "-"}}, "a-b"},
      {"🎈🎈", {{Range{{0, 2}, {0, 2}}, "|"}}, "🎈|🎈"},
      {"ab", {{Range{{0, 2}, {0, 1}}, "x"}}, "ax"},    // reversed
      {"ab", {{Range{{9, 9}, {10, 0}}, "c"}}, "abc"},  // beyond the end
      {"", {{Range{{0, 0}, {0, 0}}, "new"}}, "new"},
  };
  for (const Case& one : cases) {
    Documents documents;
    documents.open({"file:///w/a.txt", one.before});
    CHECK(documents.change({"file:///w/a.txt", one.changes}, Encoding::utf16));
    REQUIRE(documents.find("file:///w/a.txt") != nullptr);
    CHECK(*documents.find("file:///w/a.txt") == one.after);
  }
}

TEST_CASE("documents: text is kept only while a document is open") {
  Documents documents;
  CHECK_FALSE(documents.change({"file:///w/a.txt", {{std::nullopt, "x"}}}, Encoding::utf8));
  documents.open({"file:///w/a%20b.txt", "text"});
  CHECK(documents.find("file:///w/a b.txt") != nullptr);
  documents.open({"file:///w/a%20b.txt", "again"});
  CHECK(documents.count() == 1);
  CHECK(*documents.find("file:///w/a%20b.txt") == "again");
  documents.close("file:///w/a%20b.txt");
  documents.close("file:///w/never-open.txt");
  CHECK(documents.count() == 0);
  CHECK(documents.find("file:///w/a%20b.txt") == nullptr);
}

TEST_CASE("documents: an unsaved document has a URI of its own") {
  Documents documents;
  documents.open({"untitled:Untitled-1", "draft"});
  REQUIRE(documents.find("untitled:Untitled-1") != nullptr);
  CHECK(*documents.find("untitled:Untitled-1") == "draft");
}

TEST_CASE("documents: a slice takes its ends in either order") {
  const std::string text = "x𝒳y\nz";
  CHECK(slice(text, {{0, 1}, {0, 3}}, Encoding::utf16) == "𝒳");
  CHECK(slice(text, {{0, 3}, {0, 1}}, Encoding::utf16) == "𝒳");
  CHECK(slice(text, {{0, 1}, {0, 5}}, Encoding::utf8) == "𝒳");
  CHECK(slice(text, {{0, 3}, {1, 1}}, Encoding::utf16) == "y\nz");
}
