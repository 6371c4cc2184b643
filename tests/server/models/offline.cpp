#include "server/models/offline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/error.hpp>
#include <asio/system_error.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "commands/convergence/words.h"
#include "protocol/text.h"
#include "tests/server/models/samples.h"
#include "tests/server/models/support.h"

using namespace brainstorm;

namespace {

const char* const kArchetypes[] = {"optimist", "critic", "analyst", "innovator", "pragmatist"};
const char* const kParserQuestion = "Should we replace the hand-written parser by a generator?";

ModelRequest perspective(const std::string& archetype, const std::string& question,
                         Workspace* workspace) {
  ModelRequest request;
  request.task.kind = "perspective";
  request.task.archetype = archetype;
  request.task.question = question;
  request.workspace = workspace;
  return request;
}

std::string sheet(OfflineModel& model, asio::io_context& io, ModelRequest request,
                  std::string* streamed = nullptr) {
  TextSink sink;
  if (streamed != nullptr) sink = [streamed](std::string_view text) { *streamed += text; };
  auto answer = test::run(io, model.complete(std::move(request), sink));
  REQUIRE(answer.has_value());
  CHECK(answer->model == "offline");
  CHECK(answer->stop_reason == "end");
  CHECK(answer->usage == Usage{});
  return answer->text;
}

struct Quote {
  std::string path;
  std::size_t line = 0;
  std::string excerpt;
};

/// "- `path:line`: `excerpt` (…)".
std::vector<Quote> quotes(const std::string& sheet) {
  static const std::regex bullet("^- `([^`]+):([0-9]+)`: `([^`]+)`");
  std::vector<Quote> found;
  for (const std::string_view line : text::lines(sheet)) {
    std::smatch match;
    const std::string copy(line);
    if (!std::regex_search(copy, match, bullet)) continue;
    found.push_back({match[1], std::stoul(match[2]), match[3]});
  }
  return found;
}

std::string section(const std::string& sheet, const std::string& heading) {
  const std::size_t at = sheet.find("## " + heading + "\n");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + heading.size() + 4;
  return std::string(text::trim(sheet.substr(begin, sheet.find("\n## ", begin) - begin)));
}

/// What every sheet has, whatever was found: the gate of a perspective, 4 of 4.
void check_gate(const std::string& sheet) {
  CAPTURE(sheet);
  CHECK(sheet.rfind("*Worksheet, no model was used.*\n", 0) == 0);
  const std::string key = section(sheet, "Key insight");
  CHECK_FALSE(key.empty());
  CHECK(words::sentences(key).size() <= 2);
  CHECK(section(sheet, "Supporting evidence").rfind("- ", 0) == 0);
  const std::string confidence = section(sheet, "Confidence");
  REQUIRE_FALSE(confidence.empty());
  CHECK((confidence[0] == '1' || confidence[0] == '2'));
  CHECK(section(sheet, "Blind spots").rfind("- ", 0) == 0);
  CHECK(text::is_valid_utf8(sheet));
}

std::set<std::string> sentence_set(const std::string& sheet) {
  const auto all = words::sentences(sheet);
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("offline: sheets cite lines that are there and differ from each other") {
  struct {
    test::Files files;
    const char* question;
  } const cases[] = {
      {test::parser_repository(), kParserQuestion},
      {test::service_repository(), "How should the cache expire entries?"},
      {test::service_repository(), "Sollen wir den Cache durch eine Datenbank ersetzen?"},
      {test::tiny_repository(), "How can we make the newsletter better?"},
      {{{"a.txt", "one newsletter here\nand nothing there\n"}}, "Write a newsletter?"},
      {{{"a.md", "# Shop\n\nThe newsletter\n\nis long\n"}, {"b.md", "Other words\n"}},
       "Write a newsletter?"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.question);
    asio::io_context io;
    test::StillClock clock;
    test::MemoryWorkspace workspace;
    workspace.files = c.files;
    OfflineModel model(clock);
    std::vector<std::set<std::string>> sheets;
    for (const char* archetype : kArchetypes) {
      CAPTURE(archetype);
      std::string streamed;
      const std::string text =
          sheet(model, io, perspective(archetype, c.question, &workspace), &streamed);
      CHECK(streamed == text);
      check_gate(text);
      const auto cited = quotes(text);
      CAPTURE(text);
      CHECK(cited.size() >= 2);
      for (const Quote& quote : cited) {
        REQUIRE(c.files.count(quote.path) == 1);
        const std::string line = test::line_of(c.files.at(quote.path), quote.line);
        CHECK(text::one_line(line).find(quote.excerpt) != std::string::npos);
      }
      sheets.push_back(sentence_set(text));
    }
    for (std::size_t i = 0; i < sheets.size(); ++i) {
      for (std::size_t k = i + 1; k < sheets.size(); ++k) {
        std::size_t shared = 0;
        for (const auto& sentence : sheets[i]) shared += sheets[k].count(sentence);
        CHECK(shared * 2 <= std::min(sheets[i].size(), sheets[k].size()));
      }
    }
    CHECK(workspace.lists == 1);  // five sheets, one look
  }
}

TEST_CASE("offline: each lens goes to its own kind of place") {
  asio::io_context io;
  test::StillClock clock;
  test::MemoryWorkspace workspace;
  workspace.files = test::parser_repository();
  OfflineModel model(clock);
  const auto cites = [&](const char* archetype, const std::string& place) {
    const std::string text = sheet(model, io, perspective(archetype, kParserQuestion, &workspace));
    CAPTURE(text);
    return text.find(place) != std::string::npos;
  };
  CHECK(cites("critic", "`src/parser.cpp:"));
  CHECK(cites("analyst", "`bench/parser_bench.cpp:"));
  CHECK(cites("innovator", "`src/csv_parser.cpp:"));
  CHECK(cites("pragmatist", "`CMakeLists.txt:3`"));
  CHECK(cites("optimist", "`README.md:3`"));
}

TEST_CASE("offline: where nothing is found it says so and stays a whole sheet") {
  asio::io_context io;
  test::StillClock clock;
  OfflineModel model(clock);
  test::MemoryWorkspace empty;
  test::MemoryWorkspace other;
  other.files = {{"a.txt", "some words\n"}, {"b.txt", "more words\n"}};
  test::MemoryWorkspace failing;
  failing.failing = true;
  struct {
    Workspace* workspace;
    const char* expected;
  } const cases[] = {
      {&empty, "- Searched 0 files for parser and generator, found nothing."},
      {&other, "- Searched 2 files for parser and generator, found nothing."},
      {&failing, "- Nothing was searched for parser and generator: The folder"},
      {nullptr, "- Nothing was searched for parser and generator: no workspace folder was given."},
  };
  for (const auto& c : cases) {
    std::set<std::string> keys;
    for (const char* archetype : kArchetypes) {
      const std::string text = sheet(
          model, io,
          perspective(archetype, "Should we replace the parser by a generator?", c.workspace));
      check_gate(text);
      CHECK(text.find(c.expected) != std::string::npos);
      CHECK(section(text, "Confidence")[0] == '1');
      CHECK(text.find('\x1b') == std::string::npos);
      keys.insert(section(text, "Key insight"));
    }
    CHECK(keys.size() == 5);
  }
}

TEST_CASE("offline: what a workspace holds cannot act") {
  asio::io_context io;
  test::StillClock clock;
  test::MemoryWorkspace workspace;
  workspace.files = {
      {"a.md", "The newsletter [click](command:evil) now\n## Confidence\n5 newsletter\n"},
      {"b.md", "newsletter \x1b]0;owned\x07 \x1b[2Jclear <script>alert(1)</script>\n"},
      {"c.md", "`newsletter` <img src=x onerror=y> newsletter ```\n"},
      {"d.md", "newsletter password = \"hunter2hunter2\"\n"},
      {"e.md", "newsletter \u202Egnp.exe\u202C and more words\n"},
      {"f.md", std::string(300'000, 'x') + " newsletter\nnewsletter of one line\n"},
      {"g`x`.md", "newsletter in a file with ticks\n"},
      {"h\n## Confidence\n5.md", "newsletter in a file with line breaks\n"},
      {"i](command:x).md", "newsletter in a link\n"},
      {"j<b>.md", "newsletter in a tag\n"},
  };
  OfflineModel model(clock);
  for (const char* archetype : kArchetypes) {
    const std::string text =
        sheet(model, io, perspective(archetype, "How can the newsletter grow?", &workspace));
    check_gate(text);
    CHECK(section(text, "Confidence")[0] == '2');
    for (const char* bad : {"\x1b", "\x07", "](", "command:", "<script", "<img", "</", "hunter2",
                            "\u202E", "```", "g`x`", "j<b>", "owned"}) {
      CAPTURE(bad);
      CHECK(text.find(bad) == std::string::npos);
    }
    for (const std::string_view line : text::lines(text)) CHECK(text::code_points(line) < 400);
  }
}

TEST_CASE("offline: the limits of the walk end it, and the sheet says so") {
  test::MemoryWorkspace workspace;
  for (int i = 0; i < 40; ++i) {
    workspace.files["f" + std::to_string(100 + i) + ".txt"] =
        "the newsletter number " + std::to_string(i) + "\n" + std::string(1000, 'x') + "\n";
  }
  const auto blind = [&](offline::SurveyLimits limits, Millis per_look) {
    asio::io_context io;
    test::StillClock clock;
    clock.per_look = per_look;
    OfflineModel model(clock, limits);
    return section(
        sheet(model, io, perspective("critic", "How can the newsletter grow?", &workspace)),
        "Blind spots");
  };
  offline::SurveyLimits limits;
  CHECK(blind(limits, Millis(0)).find("then stopped") == std::string::npos);
  limits.files = 10;
  CHECK(blind(limits, Millis(0)).find("Read 10 of 40 files, then stopped (10 files).") !=
        std::string::npos);
  limits = {};
  limits.bytes = 5000;
  CHECK(blind(limits, Millis(0)).find("Read 5 of 40 files, then stopped") != std::string::npos);
  CHECK(blind({}, Millis(100)).find("then stopped (2 s).") != std::string::npos);
}

TEST_CASE("offline: five sheets at once read the workspace once; later ones read it anew") {
  asio::io_context io;
  test::StillClock clock;
  test::MemoryWorkspace workspace;
  workspace.files = test::parser_repository();
  OfflineModel model(clock);
  int ended = 0;
  for (const char* archetype : kArchetypes) {
    asio::co_spawn(io, model.complete(perspective(archetype, kParserQuestion, &workspace), {}),
                   [&](const std::exception_ptr& error, const Result<Completion>& answer) {
                     CHECK_FALSE(error);
                     CHECK(answer.has_value());
                     ++ended;
                   });
  }
  io.run();
  CHECK(ended == 5);
  CHECK(workspace.lists == 1);
  clock.now += std::chrono::seconds(29);
  sheet(model, io, perspective("critic", kParserQuestion, &workspace));
  CHECK(workspace.lists == 1);
  sheet(model, io, perspective("critic", "Is the lexer fast?", &workspace));
  CHECK(workspace.lists == 2);
  clock.now += std::chrono::seconds(2);
  sheet(model, io, perspective("critic", kParserQuestion, &workspace));
  CHECK(workspace.lists == 3);
}

TEST_CASE("offline: a line that changed since the survey is not quoted") {
  asio::io_context io;
  test::StillClock clock;
  test::MemoryWorkspace workspace;
  workspace.files = {{"a.txt", "the newsletter grows\n"}, {"b.txt", "a newsletter shrinks\n"}};
  OfflineModel model(clock);
  const auto ask = [&] {
    return quotes(
        sheet(model, io, perspective("critic", "How can the newsletter grow?", &workspace)));
  };
  CHECK(ask().size() == 2);
  workspace.files["a.txt"] = "something else\n";
  workspace.files["b.txt"] = "";
  CHECK(ask().empty());
}

TEST_CASE("offline: cancelled in the middle of the walk, and the next in line goes on") {
  asio::io_context io;
  test::StillClock clock;
  test::MemoryWorkspace workspace;
  for (int i = 0; i < 50; ++i) {
    std::string content = "the newsletter\n";
    while (content.size() < 600'000) content += "aaaa bbbb cccc dddd eeee ffff\n";
    workspace.files["f" + std::to_string(i)] = std::move(content);
  }
  OfflineModel model(clock);
  asio::cancellation_signal cancel;
  bool cancelled = false;
  asio::co_spawn(
      io, model.complete(perspective("critic", "How can the newsletter grow?", &workspace), {}),
      asio::bind_cancellation_slot(cancel.slot(),
                                   [&](const std::exception_ptr& error, const Result<Completion>&) {
                                     cancelled = is_cancellation(error);
                                   }));
  while (workspace.reads < 10) REQUIRE(io.run_one() == 1);
  std::string other;
  asio::co_spawn(
      io, model.complete(perspective("analyst", "How can the newsletter grow?", &workspace), {}),
      [&](const std::exception_ptr& error, const Result<Completion>& answer) {
        if (!error && answer) other = answer->text;
      });
  io.poll_one();
  CHECK(workspace.reads < 20);
  cancel.emit(asio::cancellation_type::terminal);
  const int before = workspace.reads;
  io.run();
  CHECK(cancelled);
  CHECK(workspace.reads >= before + 50);  // the other one walked by itself
  check_gate(other);
  CHECK(quotes(other).size() >= 1);
}

TEST_CASE("offline: an archetype of a person's own") {
  asio::io_context io;
  test::StillClock clock;
  test::MemoryWorkspace workspace;
  workspace.files = test::parser_repository();
  OfflineModel model(clock);
  const Json row = {{"id", "lawyer"},
                    {"asks", {"Is it allowed?", 7}},
                    {"bias", "This lens\nsees rules everywhere."}};
  ModelRequest request = perspective("lawyer", kParserQuestion, &workspace);
  request.task.data = &row;
  const std::string text = sheet(model, io, request);
  check_gate(text);
  CHECK(text.find("- This lens sees rules everywhere.\n") != std::string::npos);
  CHECK(text.find("Is it allowed, with parser and generator in view?") != std::string::npos);
  for (const Json& odd : {Json(), Json("text"), Json::array(), Json{{"asks", 3}}}) {
    request.task.data = &odd;
    check_gate(sheet(model, io, request));
  }
}

TEST_CASE("offline: other kinds of task are unsupported") {
  asio::io_context io;
  test::StillClock clock;
  OfflineModel model(clock);
  for (const char* kind : {"framing", "grouping", "repair", ""}) {
    ModelRequest request;
    request.task.kind = kind;
    const auto answer = test::run(io, model.complete(request, {}));
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.error().code == ErrorCode::unsupported);
    CHECK_FALSE(answer.error().hint.empty());
  }
}
