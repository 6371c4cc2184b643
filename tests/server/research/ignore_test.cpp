#include "server/research/ignore.h"

#include <doctest/doctest.h>

#include <chrono>

using namespace brainstorm;

TEST_CASE("patterns mean what they mean to git") {
  struct Case {
    const char* rules;
    const char* path;
    bool ignored;
    bool directory = false;
  };
  const Case cases[] = {
      {"*.o", "a.o", true},
      {"*.o", "deep/down/a.o", true},
      {"*.o", "a.oo", false},
      {"*.o\n!keep.o", "keep.o", false},
      {"*.o\n!keep.o", "x/keep.o", false},
      {"!keep.o\n*.o", "keep.o", true},
      {"# *.c", "a.c", false},
      {"\\#x", "#x", true},
      {"\\!x", "!x", true},
      {"build/", "build", false},
      {"build/", "build", true, true},
      {"build/", "x/build", true, true},
      {"/build", "x/build", false},
      {"/build", "build", true},
      {"doc/*.txt", "doc/a.txt", true},
      {"doc/*.txt", "doc/x/a.txt", false},
      {"doc/*.txt", "x/doc/a.txt", false},
      {"doc/**/*.txt", "doc/a.txt", true},
      {"doc/**/*.txt", "doc/x/y/a.txt", true},
      {"**/foo", "foo", true},
      {"**/foo", "a/b/foo", true},
      {"**/foo/bar", "a/foo/bar", true},
      {"**/foo", "a/xfoo", false},
      {"abc/**", "abc/x", true},
      {"abc/**", "abc/x/y", true},
      {"abc/**", "abc", false, true},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "axb", false},
      {"a**b", "axxb", true},
      {"a?c", "abc", true},
      {"a?c", "a/c", false},
      {"[a-c]x", "bx", true},
      {"[!a-c]x", "bx", false},
      {"[^a-c]x", "dx", true},
      {"[]a]x", "]x", true},
      {"[abc", "[abc", true},
      {"trailing   ", "trailing", true},
      {"kept\\ ", "kept ", true},
      {"", "x", false},
      {"/", "x", false},
      {"*", "x", true},
      {"*", ".hidden", true},
      {"a\r\nb\r\n", "a", true},
      {"日*", "日本", true},
  };
  for (const Case& item : cases) {
    CAPTURE(item.rules);
    CAPTURE(item.path);
    IgnoreRules rules;
    rules.add(item.rules, "");
    CHECK(rules.ignores(item.path, item.directory) == item.ignored);
  }
}

TEST_CASE("rules of a directory count below it and override those above") {
  IgnoreRules rules;
  rules.add("*.log\n", "");
  const std::size_t above = rules.size();
  rules.add("!*.log\n/only\n", "sub");
  CHECK(rules.ignores("a.log", false));
  CHECK_FALSE(rules.ignores("sub/a.log", false));
  CHECK_FALSE(rules.ignores("sub/x/a.log", false));
  CHECK(rules.ignores("sub/only", false));
  CHECK_FALSE(rules.ignores("only", false));
  CHECK_FALSE(rules.ignores("sub/x/only", false));
  CHECK_FALSE(rules.ignores("subway/only", false));
  rules.shrink(above);
  CHECK(rules.ignores("sub/a.log", false));
}

TEST_CASE("no pattern takes exponential time, no file unbounded memory") {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "*a";
  std::string stars;
  for (int i = 0; i < 60; ++i) stars += "**/a/";
  IgnoreRules rules;
  rules.add(pattern + "b\n" + stars + "b\n" + std::string(100000, '*') + "\n", "");
  CHECK(rules.size() == 2);
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(rules.ignores(std::string(3000, 'a'), false));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
  std::string many;
  for (int i = 0; i < 100000; ++i) many += "x\n";
  rules.add(many, "");
  CHECK(rules.size() == 2000);
}
