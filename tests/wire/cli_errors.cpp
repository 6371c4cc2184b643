// Bad input on the command line: a clear error, the right exit code, nothing lost, nothing run.

#include <doctest/doctest.h>

#include "tests/wire/cli_support.h"

using namespace brainstorm;
using test::CommandLine;
using test::has;

namespace {

const std::string kQuestion = "Should we replace the hand-written parser by a generator?";
using Options = CommandLine::Options;

/// What, where and what next, on stderr; nothing on stdout.
void check_refused(const test::Ran& ran, int code) {
  CHECK(ran.code == code);
  CHECK(ran.out.empty());
  // The model and its reason may be said before.
  CHECK((ran.err.starts_with("brainstorm-ls: ") || has(ran.err, "\nbrainstorm-ls: ")));
  CHECK(has(ran.err, "\n  "));
}

}  // namespace

TEST_CASE("a question that cannot be asked creates nothing") {
  const std::string key = "sk-ant-api03-" + std::string(40, 'A') + "-planted";
  struct Case {
    std::string question;
    std::string says;
  };
  std::string long_question = "Should we do it";
  while (long_question.size() < 1000) long_question += 'x';
  long_question += '?';
  for (const auto& one : {Case{"Why so? x", "10"}, Case{long_question, "1000"},
                          Case{"Should we rotate the key " + key + " now?", ""}}) {
    CAPTURE(one.question);
    const CommandLine line;
    line.fill();
    const auto ran = line.run({"run", one.question});
    check_refused(ran, 2);
    CHECK(has(ran.err, one.says));
    CHECK(!has(ran.err, key));
    CHECK(!std::filesystem::exists(line.folder() + "/.workflow"));
    const auto json = line.run({"run", one.question, "--json"});
    CHECK(json.code == 2);
    const auto events = test::events(json.out);
    REQUIRE(events.size() == 1);
    CHECK(events[0]["event"] == "error");
    CHECK(!events[0]["message"].get<std::string>().empty());
    CHECK(!events[0]["hint"].get<std::string>().empty());
    CHECK(!has(json.out + json.err, key));
  }
}

TEST_CASE("malformed settings are named with their line") {
  const CommandLine line;
  line.fill();
  struct Case {
    const char* yaml;
    const char* says;
  };
  for (const auto& one : {Case{"checkpoints: gates\ntimeouts:\n  agnet: 3\n", "config.yaml:3: "},
                          Case{"checkpoints: [\n", "config.yaml:"}}) {
    line.write("home/.config/brainstorm-ls/config.yaml", one.yaml);
    const auto ran = line.run({"run", kQuestion});
    check_refused(ran, 2);
    CHECK(has(ran.err, one.says));
    const auto doctor = line.run({"doctor"});
    CHECK(doctor.code == 1);
    CHECK(has(doctor.out, one.says));
  }
  CHECK(line.sessions().empty());
}

TEST_CASE("usage errors") {
  const CommandLine line;
  const std::vector<std::vector<std::string>> cases{
      {"frobnicate"},
      {"run"},
      {"show"},
      {"run", kQuestion, "--checkpoints", "some"},
      {"--folder", "/nonexistent/folder", "sessions"},
      {"show", "last"},
      {"accept", "nothing"},
      {"run", kQuestion, "--model", "critic=undefined"},
      {"run", kQuestion, "--context", "/nonexistent/file"}};
  for (const auto& words : cases) {
    CAPTURE(words.back());
    check_refused(line.run(words), 2);
  }
  CHECK(line.sessions().empty());
}

TEST_CASE("no workspace: the current directory is gone") {
  const CommandLine line;
  Options options;
  options.remove_cwd = true;
  const auto ran = line.run({"run", kQuestion}, options);
  check_refused(ran, 2);
  CHECK(has(ran.err, "--folder"));
}

TEST_CASE("a read-only workspace") {
  const CommandLine line;
  line.fill();
  Options options;
  options.as_nobody = true;
  if (const auto tried = line.run({"--version"}, options); tried.code != 0) {
    MESSAGE("skipped: the binary cannot be started as another user: " << tried.err);
    return;
  }
  ::chmod(line.folder().c_str(), 0555);
  const auto ran = line.run({"run", kQuestion}, options);
  check_refused(ran, 1);
  CHECK(has(ran.err, line.folder()));
  CHECK(!std::filesystem::exists(line.folder() + "/.workflow"));
  const auto doctor = line.run({"doctor"}, options);
  CHECK(doctor.code == 1);
  CHECK(has(doctor.out, "cannot be written"));
  ::chmod(line.folder().c_str(), 0755);
}

TEST_CASE("a broken state file: an error, and every file stays as it was") {
  const CommandLine line;
  line.fill();
  REQUIRE(line.run({"run", kQuestion}).code == 0);
  REQUIRE(line.sessions().size() == 1);
  const auto session = line.sessions()[0];
  const auto state = "project/.workflow/" + session + "/workflow-state.yaml";
  std::filesystem::remove(line.folder() + "/.workflow/" + session + "/workflow-state.yaml.bak");
  const std::string garbage = "workflow_id: [\x01 broken";
  line.write(state, garbage);
  for (const std::string verb : {"accept", "resume", "cancel"}) {
    CAPTURE(verb);
    check_refused(line.run({verb, session}), 1);
    CHECK(line.read(state) == garbage);
  }
  CHECK(line.run({"sessions"}).code == 0);
  CHECK(has(line.run({"doctor"}).out, "cannot be read"));
  CHECK(has(line.run({"show", session, "synthesis"}).err +
                line.read("project/.workflow/" + session + "/stage-3-synthesis.md"),
            "C1"));
}

TEST_CASE("a hostile workspace starts nothing and is told apart") {
  const CommandLine line;
  line.fill();
  const auto trap = line.folder() + "/../trap";
  line.write("project/.workflow/config.yaml",
             "models:\n  evil: {type: command, argv: [touch, " + trap +
                 "]}\n  keyed: {type: "
                 "openai, base_url: 'http://203.0.113.1/', api_key: {command: [touch, " +
                 trap +
                 "]}}\nroles: {default: evil}\ncheckpoints: none\n"
                 "handoffTargets: [{name: x, argv: [touch, " +
                 trap + "]}]\n");
  line.write("project/.git/config", "[core]\n\tfsmonitor = touch " + trap + "\n\thooksPath = " +
                                        trap + "\n[diff]\n\texternal = touch " + trap + "\n");
  line.write("project/.git/HEAD", "ref: refs/heads/main\n");
  std::filesystem::create_directories(line.folder() + "/.git/objects");
  std::filesystem::create_directories(line.folder() + "/.git/refs");
  const auto ran = line.run({"run", kQuestion});
  CHECK(ran.code == 0);
  CHECK(has(ran.err, "`models.evil.argv` is refused"));
  CHECK(has(ran.err, "`roles.default` is refused"));
  CHECK(has(ran.err, "`checkpoints` is refused"));
  CHECK(!std::filesystem::exists(trap));
}
