#include "server/cli/board.h"

#include <doctest/doctest.h>

#include "protocol/text.h"

using namespace brainstorm;
using namespace brainstorm::cli;

namespace {

AgentView agent(std::string id, std::string state, std::int64_t elapsed = 0,
                std::string headline = {}) {
  AgentView view;
  view.id = std::move(id);
  view.state = std::move(state);
  view.elapsed_ms = elapsed;
  view.headline = std::move(headline);
  return view;
}

Snapshot diverging() {
  Snapshot snapshot;
  snapshot.id = "swarm-session-20260131-090507-1a2b3c4d";
  snapshot.stage = 2;
  snapshot.stages = 4;
  snapshot.stage_name = "DIVERGING";
  snapshot.state = "DIVERGING";
  snapshot.agents = {agent("optimist", "complete", 12000, "Opens a door"),
                     agent("critic", "in_progress", 130000, "What if it fails"),
                     agent("pragmatist", "pending")};
  return snapshot;
}

}  // namespace

TEST_CASE("columns of text") {
  struct Case {
    const char* text;
    std::size_t cells;
    std::size_t width;
    const char* fitted;
  };
  const Case cases[] = {
      {"", 0, 5, ""},
      {"abc", 3, 3, "abc"},
      {"abcd", 4, 3, "ab…"},
      {"abcd", 4, 1, "…"},
      {"abcd", 4, 0, ""},
      {"äöü", 3, 2, "ä…"},
      {"日本語", 6, 6, "日本語"},
      {"日本語", 6, 5, "日本…"},
      {"日本語", 6, 4, "日…"},
      {"a😀b", 4, 3, "a…"},
      {"e\u0301e\u0301", 2, 2, "e\u0301e\u0301"},
      {"한국", 4, 3, "한…"},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.text));
    CHECK(cells(one.text) == one.cells);
    CHECK(fit(one.text, one.width) == one.fitted);
    CHECK(cells(pad(one.text, one.width)) == one.width);
  }
}

TEST_CASE("the board") {
  const auto lines = board_lines(diverging(), {60, false});
  const std::vector<std::string> expected{
      "[Stage 2/4 - DIVERGING]  1/3 perspectives",
      "  optimist    complete     0:12    Opens a door",
      "  critic      in_progress  2:10    What if it fails",
      "  pragmatist  pending",
  };
  CHECK(lines == expected);
}

TEST_CASE("no board line is wider than the terminal, whatever it holds") {
  auto snapshot = diverging();
  snapshot.agents[0].headline = std::string(300, 'x');
  snapshot.agents[1].headline = "日本語のとても長い文章がここに入りますがはみ出してはいけません😀😀😀";
  snapshot.agents[2].id = std::string(100, 'i');
  snapshot.cancelling = true;
  snapshot.usage.tokens_in = 123456;
  Decision decision;
  decision.kind = std::string(200, 'k');
  snapshot.pending_decisions = {decision};
  for (std::size_t width = 19; width < 130; ++width) {
    for (const auto& line : board_lines(snapshot, {width, false})) {
      CAPTURE(line);
      CHECK(cells(line) <= width);
    }
  }
}

TEST_CASE("colours only change the state's look") {
  const auto plain = board_lines(diverging(), {60, false});
  auto coloured = board_lines(diverging(), {60, true});
  REQUIRE(plain.size() == coloured.size());
  CHECK(plain != coloured);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    std::string stripped;
    for (std::size_t at = 0; at < coloured[i].size(); ++at) {
      if (coloured[i][at] == '\x1b') {
        at = coloured[i].find('m', at);
      } else {
        stripped += coloured[i][at];
      }
    }
    CHECK(stripped == plain[i]);
  }
}

TEST_CASE("text of models cannot steer the terminal") {
  auto snapshot = diverging();
  snapshot.agents[0].headline = "a\x1b[2Jb\x1b]0;title\x07\nc\r\u009bd";
  snapshot.agents[1].id = "cri\x1b[31mtic";
  snapshot.agents[1].state = "odd\nstate";
  snapshot.warnings = {"w\x1b[1A"};
  auto lines = board_lines(snapshot, {80, false});
  for (const auto& line : progress_lines(nullptr, snapshot)) lines.push_back(line);
  for (const auto& line : lines) {
    for (const char c : line) CHECK(static_cast<unsigned char>(c) >= 0x20);
    CHECK(line.find("\u009b") == std::string::npos);
  }
}

TEST_CASE("plain progress says what changed, once") {
  const auto before = diverging();
  auto now = before;
  CHECK(progress_lines(&before, now).empty());
  now.agents[1] = agent("critic", "complete", 131000);
  now.agents[2] = agent("pragmatist", "failed", 5000, "the model refused");
  now.warnings = {"one family"};
  CHECK(progress_lines(&before, now) ==
        std::vector<std::string>{"  critic complete 2:11",
                                 "  pragmatist failed 0:05: the model refused",
                                 "  warning: one family"});
  auto next = now;
  next.stage = 3;
  next.stage_name = "CONVERGING";
  next.state = "CONVERGING";
  CHECK(progress_lines(&now, next) ==
        std::vector<std::string>{"[Stage 3/4 - CONVERGING] CONVERGING"});
  next.cancelling = true;
  CHECK(progress_lines(nullptr, diverging()) ==
        std::vector<std::string>{"[Stage 2/4 - DIVERGING] DIVERGING", "  optimist complete 0:12",
                                 "  critic in_progress"});
}
