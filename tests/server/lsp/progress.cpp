#include "server/lsp/progress.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace brainstorm;

namespace {

using Kind = WorkDone::Step::Kind;

ProgressView view(int percentage, const std::string& message) {
  return {"[Stage 2/4 - DIVERGING]", message, "[Stage 2/4 - DIVERGING] 1/5", percentage};
}

std::string shown(const WorkDone::Steps& steps) {
  std::string line;
  for (const WorkDone::Step& step : steps) {
    static const char* const kNames[] = {"create", "begin", "report", "end", "log"};
    line += (line.empty() ? "" : " ") + std::string(kNames[static_cast<int>(step.kind)]);
    if (step.kind == Kind::report) line += std::to_string(step.percentage);
  }
  return line;
}

AgentView agent(const std::string& id, const std::string& state, std::int64_t elapsed_ms = 0) {
  AgentView one;
  one.id = id;
  one.state = state;
  one.elapsed_ms = elapsed_ms;
  return one;
}

Snapshot diverging() {
  Snapshot snapshot;
  snapshot.stage = 2;
  snapshot.stages = 4;
  snapshot.stage_name = "DIVERGING";
  snapshot.state = "DIVERGING";
  snapshot.agents = {agent("optimist", "complete", 90'000), agent("critic", "in_progress", 130'000),
                     agent("analyst", "in_progress", 70'000), agent("innovator", "failed", 5'000),
                     agent("user_advocate", "complete", 60'000)};
  return snapshot;
}

}  // namespace

TEST_CASE("progress: begin waits for the answer to create") {
  WorkDone work(true);
  CHECK(shown(work.update(view(10, "a"), Millis(0))) == "create");
  CHECK(shown(work.update(view(20, "b"), Millis(1))) == "");
  const auto begun = work.created(true);
  REQUIRE(shown(begun) == "begin");
  CHECK(begun[0].title == "[Stage 2/4 - DIVERGING]");
  CHECK(begun[0].message == "b");
  CHECK(begun[0].percentage == 20);
  CHECK(shown(work.created(true)) == "");
}

TEST_CASE("progress: at most ten reports a second, the last state is not lost") {
  WorkDone work(true);
  work.update(view(0, "0"), Millis(0));
  work.created(true);
  int reports = 0;
  for (int at = 0; at < 1000; ++at) {
    reports += static_cast<int>(work.update(view(at / 10, std::to_string(at)), Millis(at)).size());
  }
  CHECK(reports <= 10);
  REQUIRE(work.due().has_value());
  const auto last = work.tick(*work.due());
  REQUIRE(last.size() == 1);
  CHECK(last[0].message == "999");
  CHECK_FALSE(work.due().has_value());
}

TEST_CASE("progress: the same view is not reported twice, and percentages never fall") {
  WorkDone work(true);
  work.update(view(50, "a"), Millis(0));
  work.created(true);
  CHECK(shown(work.update(view(50, "a"), Millis(500))) == "");
  CHECK(shown(work.update(view(30, "b"), Millis(1000))) == "report50");
  CHECK(shown(work.update(view(400, "c"), Millis(2000))) == "report100");
}

TEST_CASE("progress: end comes last and once") {
  WorkDone work(true);
  work.update(view(0, "a"), Millis(0));
  work.created(true);
  work.update(view(1, "b"), Millis(10));
  work.update(view(2, "c"), Millis(20));
  CHECK(shown(work.end("done")) == "end");
  CHECK_FALSE(work.due().has_value());
  CHECK(shown(work.update(view(3, "d"), Millis(5000))) == "");
  CHECK(shown(work.end("again")) == "");
}

TEST_CASE("progress: work that ends before the answer never begins") {
  WorkDone work(true);
  work.update(view(0, "a"), Millis(0));
  CHECK(shown(work.end("done")) == "");
  CHECK(shown(work.created(true)) == "");
}

TEST_CASE("progress: refused or not declared, milestones are logged, each once") {
  for (const bool declared : {true, false}) {
    CAPTURE(declared);
    WorkDone work(declared);
    auto first = work.update(view(0, "a"), Millis(0));
    if (declared) {
      CHECK(shown(first) == "create");
      first = work.created(false);
    }
    REQUIRE(shown(first) == "log");
    CHECK(first[0].message == "[Stage 2/4 - DIVERGING] 1/5");
    CHECK(shown(work.update(view(5, "b"), Millis(5000))) == "");
    CHECK(shown(work.end("finished")) == "log");
  }
}

TEST_CASE("progress: a lent token needs no creation") {
  WorkDone fresh(true);
  CHECK(fresh.adopt());
  CHECK(shown(fresh.update(view(0, "a"), Millis(0))) == "begin");
  WorkDone begun(true);
  begun.update(view(0, "a"), Millis(0));
  begun.created(true);
  CHECK_FALSE(begun.adopt());
}

TEST_CASE("progress: what is shown of a snapshot") {
  const auto view = progress_view(diverging());
  CHECK(view.title == "[Stage 2/4 - DIVERGING]");
  CHECK(view.message == "2/5 perspectives · critic 2:10");
  CHECK(view.milestone == "[Stage 2/4 - DIVERGING] 2/5 perspectives");
  CHECK(view.percentage == 40);  // a stage of four, and three of five agents through the second

  Snapshot cancelling = diverging();
  cancelling.cancelling = true;
  CHECK(progress_view(cancelling).message == "cancelling");
}

TEST_CASE("progress: odd snapshots show something sane") {
  Snapshot nothing;
  CHECK(progress_view(nothing).percentage == 0);
  CHECK(progress_view(nothing).title == "[Stage 1/1 - ]");
  Snapshot beyond = diverging();
  beyond.stage = 9;
  CHECK(progress_view(beyond).title == "[Stage 4/4 - DIVERGING]");
  CHECK(progress_view(beyond).percentage <= 100);
}

TEST_CASE("progress: when work is going on") {
  struct Case {
    std::string state;
    std::vector<Decision> open;
    bool working;
  };
  Decision gate;
  Decision offer;
  offer.blocking = false;
  const std::vector<Case> cases{
      {"FRAMING", {}, true},      {"DIVERGING", {}, true},      {"DIVERGING", {offer}, true},
      {"FRAMING", {gate}, false}, {"AWAITING_USER", {}, false}, {"COMPLETED", {}, false},
      {"FAILED", {}, false},      {"ABORTED", {}, false},
  };
  for (const Case& one : cases) {
    Snapshot snapshot;
    snapshot.state = one.state;
    snapshot.pending_decisions = one.open;
    CAPTURE(one.state);
    CHECK(is_working(snapshot) == one.working);
  }
}
