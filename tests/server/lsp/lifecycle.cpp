#include "server/lsp/lifecycle.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace brainstorm;

namespace {

using Verdict = Lifecycle::Verdict;

Lifecycle after(const std::vector<std::string>& steps) {
  Lifecycle life;
  for (const std::string& step : steps) {
    if (step == "initialize") life.initialized();
    if (step == "initialized") life.client_ready();
    if (step == "shutdown") life.shutdown();
  }
  return life;
}

const std::vector<std::string> kCreated;
const std::vector<std::string> kAnswered{"initialize"};
const std::vector<std::string> kRunning{"initialize", "initialized"};
const std::vector<std::string> kShutDown{"initialize", "initialized", "shutdown"};

}  // namespace

TEST_CASE("lifecycle: which requests are let through") {
  struct Case {
    std::vector<std::string> steps;
    std::string method;
    Verdict expected;
  };
  const std::vector<Case> cases{
      {kCreated, "initialize", Verdict::admit},
      {kCreated, "shutdown", Verdict::not_initialized},
      {kCreated, "workspace/executeCommand", Verdict::not_initialized},
      {kCreated, "$/unheard", Verdict::not_initialized},
      {kAnswered, "workspace/executeCommand", Verdict::admit},
      {kAnswered, "initialize", Verdict::invalid},
      {kRunning, "initialize", Verdict::invalid},
      {kRunning, "shutdown", Verdict::admit},
      {kShutDown, "shutdown", Verdict::invalid},
      {kShutDown, "initialize", Verdict::invalid},
      {kShutDown, "workspace/executeCommand", Verdict::invalid},
  };
  for (const Case& one : cases) {
    CAPTURE(one.method);
    CAPTURE(one.steps.size());
    CHECK(after(one.steps).request(one.method) == one.expected);
  }
}

TEST_CASE("lifecycle: which notifications are let through") {
  struct Case {
    std::vector<std::string> steps;
    std::string method;
    Verdict expected;
  };
  const std::vector<Case> cases{
      {kCreated, "initialized", Verdict::drop},
      {kCreated, "textDocument/didOpen", Verdict::drop},
      {kCreated, "exit", Verdict::admit},
      {kAnswered, "initialized", Verdict::admit},
      {kRunning, "textDocument/didOpen", Verdict::admit},
      {kRunning, "exit", Verdict::admit},
      {kShutDown, "textDocument/didOpen", Verdict::drop},
      {kShutDown, "exit", Verdict::admit},
  };
  for (const Case& one : cases) {
    CAPTURE(one.method);
    CAPTURE(one.steps.size());
    CHECK(after(one.steps).notification(one.method) == one.expected);
  }
}

TEST_CASE("lifecycle: the exit code tells whether shutdown came first") {
  CHECK(after(kCreated).exit_code() == 1);
  CHECK(after(kAnswered).exit_code() == 1);
  CHECK(after(kRunning).exit_code() == 1);
  CHECK(after(kShutDown).exit_code() == 0);
}

TEST_CASE("lifecycle: nobody is ready before initialize was answered") {
  CHECK_FALSE(after({"initialized"}).is_client_ready());
  CHECK_FALSE(after(kAnswered).is_client_ready());
  CHECK(after(kRunning).is_client_ready());
}
