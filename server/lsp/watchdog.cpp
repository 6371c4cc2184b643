#include "server/lsp/watchdog.h"

#include <asio/io_context.hpp>
#include <ctime>

#include "server/lsp/stderr_log.h"

namespace brainstorm {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

nanoseconds cpu_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

void report(const std::string& what, nanoseconds spent) {
  if (spent <= kLongTurn) return;
  const auto ms = std::chrono::duration_cast<milliseconds>(spent).count();
  stderr_log(what + " held the loop for " + std::to_string(ms) + " ms");
}

}  // namespace

Turn::Turn(const std::string& what) : what_(what), started_(std::chrono::steady_clock::now()) {}

Turn::~Turn() { report(what_, std::chrono::steady_clock::now() - started_); }

void run_watched(asio::io_context& io) {
  nanoseconds before = cpu_time();
  while (io.run_one() != 0) {
    const nanoseconds after = cpu_time();
    report("one turn", after - before);
    before = after;
  }
}

}  // namespace brainstorm
