#include "server/lsp/progress.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace brainstorm;
using Kind = WorkDone::Step::Kind;

namespace {

ProgressView view(const std::string& message, int percentage, const std::string& milestone = "m") {
  return {"[Stage 2/4 - DIVERGING]", message, milestone, percentage};
}

std::string words(const WorkDone::Steps& steps) {
  static const char* const kNames[] = {"create", "begin", "report", "end", "log"};
  std::string all;
  for (const auto& step : steps) {
    if (!all.empty()) all += ", ";
    all += kNames[static_cast<int>(step.kind)];
    if (!step.message.empty()) all += " " + step.message;
    if (step.kind == Kind::begin || step.kind == Kind::report) {
      all += " " + std::to_string(step.percentage) + "%";
    }
  }
  return all;
}

AgentView agent(const std::string& id, const std::string& state, std::int64_t elapsed = 0) {
  AgentView one;
  one.id = id;
  one.state = state;
  one.elapsed_ms = elapsed;
  return one;
}

Snapshot diverging() {
  Snapshot shown;
  shown.stage = 2;
  shown.stages = 4;
  shown.stage_name = "DIVERGING";
  shown.state = "DIVERGING";
  shown.agents = {agent("optimist", "complete"), agent("critic", "in_progress", 130000),
                  agent("analyst", "complete"), agent("innovator", "complete"),
                  agent("pragmatist", "in_progress", 65000)};
  return shown;
}

}  // namespace

TEST_CASE("39: begin waits for the answer to create, the work does not") {
  WorkDone work(true);
  CHECK(words(work.update(view("one", 10), Millis{0})) == "create");
  CHECK(words(work.update(view("two", 20), Millis{1})) == "");
  CHECK(words(work.created(true)) == "begin two 20%");
  CHECK(words(work.update(view("three", 30), Millis{2})) == "report three 30%");
  CHECK(words(work.end("done")) == "end done");
}

TEST_CASE("39: a stage that ended before the answer is never begun") {
  WorkDone work(true);
  (void)work.update(view("one", 10), Millis{0});
  CHECK(words(work.end("done")) == "");
  CHECK(words(work.created(true)) == "");
  CHECK(words(work.update(view("late", 10), Millis{5})) == "");
}

TEST_CASE("a refused token becomes log lines, one a milestone") {
  WorkDone work(true);
  (void)work.update(view("0/5 · critic 0:01", 10, "0/5"), Millis{0});
  CHECK(words(work.created(false)) == "log 0/5");
  CHECK(words(work.update(view("0/5 · critic 0:02", 10, "0/5"), Millis{1000})) == "");
  CHECK(words(work.update(view("1/5 · critic 0:03", 10, "1/5"), Millis{2000})) == "log 1/5");
  CHECK(words(work.end("done")) == "log [Stage 2/4 - DIVERGING] done");
}

TEST_CASE("an editor without progress gets log lines from the start") {
  WorkDone work(false);
  CHECK(words(work.update(view("x", 10, "0/5"), Millis{0})) == "log 0/5");
  CHECK_FALSE(work.due());
}

TEST_CASE("40: at most ten reports a second, none after the end") {
  WorkDone work(true);
  (void)work.update(view("start", 0), Millis{0});
  (void)work.created(true);
  int reports = 0;
  for (int ms = 0; ms < 1000; ++ms) {
    for (const auto& step : work.update(view(std::to_string(ms), 0), Millis{ms})) {
      if (step.kind == Kind::report) ++reports;
    }
  }
  CHECK(reports == 10);
  CHECK(words(work.end("done")) == "end done");
  CHECK(words(work.tick(Millis{5000})) == "");
  CHECK(words(work.end("again")) == "");
}

TEST_CASE("a report that was held back is sent when its time comes") {
  WorkDone work(true);
  (void)work.update(view("start", 0), Millis{0});
  (void)work.created(true);
  CHECK(words(work.update(view("a", 1), Millis{10})) == "report a 1%");
  CHECK(words(work.update(view("b", 2), Millis{20})) == "");
  REQUIRE(work.due());
  CHECK(*work.due() == Millis{110});
  CHECK(words(work.tick(Millis{109})) == "");
  CHECK(words(work.tick(Millis{110})) == "report b 2%");
  CHECK_FALSE(work.due());
  CHECK(words(work.update(view("b", 2), Millis{500})) == "");  // nothing new
}

TEST_CASE("the percentage never falls") {
  WorkDone work(true);
  (void)work.update(view("a", 40), Millis{0});
  CHECK(words(work.created(true)) == "begin a 40%");
  CHECK(words(work.update(view("b", 10), Millis{200})) == "report b 40%");
  CHECK(words(work.update(view("c", 900), Millis{400})) == "report c 100%");
}

TEST_CASE("a lent token needs no creation") {
  WorkDone fresh(false);
  REQUIRE(fresh.adopt());
  CHECK(words(fresh.update(view("a", 1), Millis{0})) == "begin a 1%");
  CHECK(words(fresh.end("")) == "end");

  WorkDone creating(true);
  (void)creating.update(view("a", 1), Millis{0});
  const auto steps = creating.adopt();
  REQUIRE(steps);
  CHECK(words(*steps) == "begin a 1%");
  CHECK(words(creating.created(true)) == "");  // the answer to our own create comes too late

  WorkDone running(true);
  (void)running.update(view("a", 1), Millis{0});
  (void)running.created(true);
  CHECK_FALSE(running.adopt());
}

TEST_CASE("titles, messages and percentages say where a session stands") {
  Snapshot shown = diverging();
  CHECK(progress_view(shown) == ProgressView{"[Stage 2/4 - DIVERGING]",
                                             "3/5 perspectives · critic 2:10",
                                             "[Stage 2/4 - DIVERGING] 3/5 perspectives", 40});
  shown.cancelling = true;
  CHECK(progress_view(shown).message == "cancelling");
  shown = {};
  shown.stage_name = "FRAMING";
  shown.stages = 4;
  shown.state = "INITIALIZED";
  CHECK(progress_view(shown).title == "[Stage 1/4 - FRAMING]");
  CHECK(progress_view(shown).percentage == 0);
  CHECK(progress_view(Snapshot{}).title == "[Stage 1/1 - ]");
}

TEST_CASE("progress is shown while work goes on") {
  Snapshot shown = diverging();
  CHECK(is_working(shown));
  Decision offer;
  offer.blocking = false;
  shown.pending_decisions = {offer};
  CHECK(is_working(shown));
  shown.pending_decisions.push_back(Decision{});
  CHECK_FALSE(is_working(shown));
  for (const char* state : {"AWAITING_USER", "COMPLETED", "FAILED", "ABORTED"}) {
    CAPTURE(state);
    Snapshot resting;
    resting.state = state;
    CHECK_FALSE(is_working(resting));
  }
}
