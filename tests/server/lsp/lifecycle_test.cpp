#include "server/lsp/lifecycle.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using brainstorm::Lifecycle;
using Verdict = Lifecycle::Verdict;

namespace {

enum class Phase { created, running, ready, shut_down };

Lifecycle in(Phase phase) {
  Lifecycle life;
  if (phase == Phase::created) return life;
  life.initialized();
  if (phase == Phase::ready) life.client_ready();
  if (phase == Phase::shut_down) life.shutdown();
  return life;
}

}  // namespace

TEST_CASE("which requests are let through when") {
  struct Row {
    Phase phase;
    std::string method;
    Verdict verdict;
  };
  const std::vector<Row> rows = {
      {Phase::created, "initialize", Verdict::admit},
      {Phase::created, "shutdown", Verdict::not_initialized},
      {Phase::created, "workspace/executeCommand", Verdict::not_initialized},
      {Phase::created, "$/unknown", Verdict::not_initialized},
      {Phase::running, "initialize", Verdict::invalid},
      {Phase::running, "shutdown", Verdict::admit},
      {Phase::running, "workspace/executeCommand", Verdict::admit},
      {Phase::ready, "initialize", Verdict::invalid},
      {Phase::ready, "anything", Verdict::admit},
      {Phase::shut_down, "shutdown", Verdict::invalid},
      {Phase::shut_down, "initialize", Verdict::invalid},
      {Phase::shut_down, "workspace/executeCommand", Verdict::invalid},
  };
  for (const Row& row : rows) {
    CAPTURE(row.method);
    CAPTURE(static_cast<int>(row.phase));
    CHECK(in(row.phase).request(row.method) == row.verdict);
  }
}

TEST_CASE("which notifications are let through when") {
  struct Row {
    Phase phase;
    std::string method;
    Verdict verdict;
  };
  const std::vector<Row> rows = {
      {Phase::created, "exit", Verdict::admit},
      {Phase::created, "initialized", Verdict::drop},
      {Phase::created, "textDocument/didOpen", Verdict::drop},
      {Phase::running, "initialized", Verdict::admit},
      {Phase::running, "exit", Verdict::admit},
      {Phase::ready, "textDocument/didOpen", Verdict::admit},
      {Phase::shut_down, "textDocument/didOpen", Verdict::drop},
      {Phase::shut_down, "exit", Verdict::admit},
  };
  for (const Row& row : rows) {
    CAPTURE(row.method);
    CAPTURE(static_cast<int>(row.phase));
    CHECK(in(row.phase).notification(row.method) == row.verdict);
  }
}

TEST_CASE("the exit code is 0 only after shutdown") {
  CHECK(in(Phase::created).exit_code() == 1);
  CHECK(in(Phase::running).exit_code() == 1);
  CHECK(in(Phase::ready).exit_code() == 1);
  CHECK(in(Phase::shut_down).exit_code() == 0);
}

TEST_CASE("the client is ready once it said so, and not before initialize was answered") {
  Lifecycle life;
  life.client_ready();
  CHECK_FALSE(life.is_client_ready());
  life.initialized();
  CHECK_FALSE(life.is_client_ready());
  life.client_ready();
  CHECK(life.is_client_ready());
}
