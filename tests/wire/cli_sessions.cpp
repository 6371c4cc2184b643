// A session from the command line: run, look, decide, accept.

#include <doctest/doctest.h>

#include "tests/wire/cli_support.h"

using namespace brainstorm;
using test::CommandLine;
using test::has;

namespace {

const std::string kQuestion = "Should we replace the hand-written parser by a generator?";
using Options = CommandLine::Options;

}  // namespace

TEST_CASE("run ends with a synthesis and leaves the review to the person") {
  const CommandLine line;
  line.fill();
  const auto ran = line.run({"run", kQuestion});
  CAPTURE(ran.err);
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "src/parser.cpp:"));
  CHECK(has(ran.out, "AWAITING_USER"));
  CHECK(!has(ran.out + ran.err, "\x1b"));
  CHECK(has(ran.err, "[Stage 2/4 - DIVERGING]"));
  REQUIRE(line.sessions().size() == 1);
  const auto session = line.sessions()[0];
  CHECK(has(ran.out, "brainstorm-ls accept " + session));

  const auto listed = line.run({"sessions"});
  CHECK(listed.code == 0);
  CHECK(has(listed.out, "AWAITING_USER"));
  CHECK(has(listed.out, kQuestion));
  const auto json = test::events(line.run({"sessions", "--json"}).out);
  REQUIRE(json.size() == 1);
  CHECK(json[0]["id"] == session);
  CHECK(json[0]["pendingDecisions"][0]["kind"] == "review");

  CHECK(has(line.run({"show", session}).out, "src/parser.cpp:"));
  CHECK(line.run({"show", "last", "perspective", "critic"}).code == 0);
  CHECK(line.run({"show", "last", "board"}).code == 0);
  CHECK(line.run({"show", "last", "nonsense"}).code != 0);
  CHECK(has(line.run({"doctor", "--session", "last"}).out, session));

  const auto accepted = line.run({"accept", "last"});
  CHECK(accepted.code == 0);
  CHECK(has(accepted.out, "COMPLETED"));
  CHECK(line.run({"accept", session}).code == 1);
  CHECK(line.run({"archive", session}).code == 0);
  CHECK(line.sessions().empty());
}

TEST_CASE("the short id of the listing is taken everywhere") {
  const CommandLine line;
  line.fill();
  REQUIRE(line.run({"run", kQuestion}).code == 0);
  REQUIRE(line.run({"run", kQuestion}).code == 0);
  const auto listing = line.run({"sessions"}).out;
  std::vector<std::string> brief;
  for (std::size_t at = listing.find('\n') + 1; at < listing.size();
       at = listing.find('\n', at) + 1) {
    brief.push_back(listing.substr(at, listing.find(' ', at) - at));
  }
  REQUIRE(brief.size() == 2);
  for (const auto& id : brief) {
    CAPTURE(id);
    CHECK(line.run({"show", id}).code == 0);
  }
}

TEST_CASE("run --json prints events and nothing else") {
  const CommandLine line;
  line.fill();
  const auto ran = line.run({"run", kQuestion, "--json"});
  CHECK(ran.code == 0);
  const auto events = test::events(ran.out);
  REQUIRE(events.size() > 3);
  int decisions = 0;
  for (const auto& event : events) {
    REQUIRE(event.is_object());
    const auto name = event.value("event", "");
    const bool known = name == "session" || name == "delta" || name == "decision" ||
                       name == "result" || name == "error";
    CHECK(known);
    decisions += name == "decision" ? 1 : 0;
    if (name == "session") CHECK(event["agents"].is_array());
  }
  CHECK(decisions == 1);
  CHECK(events.back()["event"] == "result");
  CHECK(events.back()["state"] == "AWAITING_USER");
  CHECK(events.back()["exitCode"] == 0);
}

TEST_CASE("a decision that must be made first stops the run with 3; decide goes on") {
  const CommandLine line;
  line.fill();
  const auto ran = line.run({"run", kQuestion, "--checkpoints", "all"});
  CHECK(ran.code == 3);
  CHECK(has(ran.out, "approve"));
  CHECK(line.run({"decide", "last", "nonsense"}).code == 2);
  const auto decided = line.run({"decide", "last", "approve"});
  CAPTURE(decided.err);
  CHECK(decided.code == 0);
  CHECK(has(decided.out, "AWAITING_USER"));
  CHECK(line.run({"decide", "last", "accept"}).code == 0);
}

TEST_CASE("aborting ends with 4, resuming goes on from there") {
  const CommandLine line;
  line.fill();
  CHECK(line.run({"run", kQuestion, "--checkpoints", "all"}).code == 3);
  const auto aborted = line.run({"decide", "last", "abort"});
  CHECK(aborted.code == 4);
  CHECK(has(aborted.out, "brainstorm-ls resume "));
  const auto resumed = line.run({"resume", "last"});
  CHECK((resumed.code == 0 || resumed.code == 3));
}

TEST_CASE("cancel ends a session that waits") {
  const CommandLine line;
  line.fill();
  CHECK(line.run({"run", kQuestion, "--checkpoints", "all"}).code == 3);
  const auto cancelled = line.run({"cancel", "last"});
  CHECK(cancelled.code == 0);
  CHECK(has(cancelled.out, "ABORTED"));
}

TEST_CASE("settings decide what is asked, and the environment overrides the file") {
  const CommandLine line;
  line.fill();
  line.write("home/.config/brainstorm-ls/config.yaml", "checkpoints: all\n");
  CHECK(line.run({"run", kQuestion}).code == 3);
  Options options;
  options.variables = {{"BRAINSTORM_CHECKPOINTS", "none"}};
  CHECK(line.run({"run", kQuestion}, options).code == 0);
  CHECK(has(line.run({"config"}).out, "~/.config/brainstorm-ls/config.yaml:1"));
  CHECK(has(line.run({"config"}, options).out, "BRAINSTORM_CHECKPOINTS"));
}

TEST_CASE("--trust is remembered") {
  const CommandLine line;
  line.fill();
  line.write("project/.workflow/config.yaml", "checkpoints: none\n");
  CHECK(has(line.run({"sessions"}).err, "is refused"));
  CHECK(!has(line.run({"sessions", "--trust"}).err, "is refused"));
  CHECK(!has(line.run({"sessions"}).err, "is refused"));
}

TEST_CASE("nobody reads stdout: the session still ends as it should") {
  const CommandLine line;
  line.fill();
  Options options;
  options.close_stdout = true;
  const auto ran = line.run({"run", kQuestion}, options);
  CHECK(ran.code == 0);
  CHECK(has(line.run({"sessions"}).out, "AWAITING_USER"));
}

TEST_CASE("an empty folder works, and a subdirectory finds its workspace") {
  const CommandLine line;
  CHECK(line.run({"run", kQuestion}).code == 0);
  std::filesystem::create_directory(line.folder() + "/sub");
  Options options;
  options.cwd = line.folder() + "/sub";
  CHECK(has(line.run({"sessions"}, options).out, "AWAITING_USER"));
  options.cwd = line.home();
  CHECK(has(line.run({"sessions", "--folder", line.folder()}, options).out, "AWAITING_USER"));
}

TEST_CASE("keys in the environment are written nowhere") {
  const CommandLine line;
  line.fill();
  const std::string key = "sk-ant-planted-0123456789abcdefghij";
  Options options;
  options.variables = {{"ANTHROPIC_API_KEY", key}};
  std::string all;
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"run", kQuestion}, {"doctor"}, {"config"}, {"models"}, {"show", "last", "state"}}) {
    const auto ran = line.run(words, options);
    CHECK(ran.code == 0);
    all += ran.out + ran.err;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(line.folder())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  CHECK(!has(all, key));
  CHECK(has(all, "ANTHROPIC_API_KEY"));
}

TEST_CASE("version, help and schema") {
  const CommandLine line;
  CHECK(line.run({"--version"}).out.starts_with("brainstorm-ls "));
  CHECK(has(line.run({"--help"}).out, "decide SESSION"));
  const auto schema = nlohmann::json::parse(line.run({"config", "--schema"}).out, nullptr, false);
  CHECK(schema["properties"].contains("checkpoints"));
}
