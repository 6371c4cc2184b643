#pragma once
// Small repositories as tests see them.

#include <map>
#include <string>

namespace brainstorm::test {

using Files = std::map<std::string, std::string>;

/// A C++ program with a hand-written parser: 30 files.
inline Files parser_repository() {
  Files files = {
      {"CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.25)\nproject(ledger CXX)\n"
       "add_library(parser src/parser.cpp src/lexer.cpp)\n"},
      {"README.md",
       "# Ledger\n\nReads bank statements with a hand-written parser.\n"
       "The parser is the oldest part.\n"},
      {"docs/grammar.md", "# Grammar\n\nThe parser accepts one statement a line.\n"},
      {"src/parser.h",
       "#pragma once\nclass Parser {\n public:\n  // Parses one statement.\n"
       "  virtual Statement parse(const Tokens& tokens) = 0;\n};\n"},
      {"src/parser.cpp",
       "#include \"parser.h\"\n\n// TODO: the parser loses the line number\n"
       "Statement Parser::parse(const Tokens& tokens) {\n"
       "  if (tokens.empty()) throw ParseError(\"parser: no tokens\");\n"
       "  return parse_amount(tokens);  // FIXME: parser ignores currency\n}\n"},
      {"src/lexer.cpp",
       "#include \"lexer.h\"\n\n// Feeds the parser with tokens.\n"
       "Tokens Lexer::run() { return tokens_; }\n"},
      {"src/csv_parser.cpp",
       "// An alternative parser for CSV, experimental\n"
       "Statement CsvParser::parse(const Row& row) { return {}; }\n"},
      {"tools/gen.py",
       "# Generates test statements; a tiny grammar generator\n"
       "def generator(seed):\n    return seed\n"},
      {"tests/parser_test.cpp",
       "TEST(Parser, Empty) { EXPECT_THROW(parser.parse({})); }\n"
       "TEST(Parser, One) { EXPECT_EQ(parser.parse(one).amount, 1); }\n"},
      {"bench/parser_bench.cpp",
       "// Measures the parser: 1.2 ms for 1000 lines\n"
       "void bench_parser() { run(parser); }\n"},
      {".github/workflows/build.yml", "name: build\njobs:\n  parser:\n    runs-on: linux\n"},
  };
  for (int i = static_cast<int>(files.size()); i < 30; ++i) {
    files["src/report/view" + std::to_string(i) + ".cpp"] =
        "// View number " + std::to_string(i) + "\nvoid draw() { paint(); }\n";
  }
  return files;
}

/// A small web service.
inline Files service_repository() {
  return {
      {"package.json", "{\n  \"name\": \"shop\",\n  \"dependencies\": {\"redis\": \"4\"}\n}\n"},
      {"src/cache.ts",
       "export class Cache {\n  // HACK: the cache never expires entries\n"
       "  get(key: string) { return this.store[key]; }\n"
       "  set(key: string, value: unknown) { this.store[key] = value; }\n}\n"},
      {"src/orders.ts",
       "import { Cache } from './cache';\n"
       "export function orders(cache: Cache) {\n"
       "  try { return cache.get('orders'); } catch (error) { return null; }\n}\n"},
      {"src/fallback.ts",
       "// Reads from the database instead of the cache\n"
       "export const fallback = (id: number) => database.read(id);\n"},
      {"test/cache.spec.ts", "it('expires', () => { expect(cache.get('a')).toBe(undefined); });\n"},
      {"docs/cache.md", "# Cache\n\nWe support one cache for each process.\n"},
      {"config/cache.yaml", "cache:\n  size: 100\n  ttl: 60\n"},
  };
}

/// The least that holds a term.
inline Files tiny_repository() {
  return {{"notes.txt", "Ideas for the newsletter:\nsend the newsletter on Mondays\n"},
          {"list.txt", "people who asked for it\n"}};
}

}  // namespace brainstorm::test
