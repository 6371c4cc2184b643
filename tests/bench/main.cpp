// bench OURS PEER.js: the same measurements of this server and of one made with the npm library
// vscode-languageserver, alternating in one run, so that the machine's mood hits both.

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/bench/measures.h"
#include "tests/bench/server_process.h"

namespace brainstorm::bench {
namespace {

/// A folder of its own for each server, removed at the end.
class Folder {
 public:
  Folder() {
    if (mkdtemp(path_.data()) == nullptr) give_up("no temporary folder");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "brainstorm-bench-XXXXXX").string();
};

using Measure = std::function<double(const Contender&)>;

struct Pair {
  double ours = 0;
  double peer = 0;
};

/// Medians of `rounds` measurements each, ours and the peer's in turn.
Pair alternate(const std::vector<Contender>& both, int rounds, const Measure& measure) {
  std::vector<double> ours, peer;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(measure(both[0]));
    peer.push_back(measure(both[1]));
  }
  return {spread(std::move(ours)).p50, spread(std::move(peer)).p50};
}

void row(const char* what, const char* unit, Pair value, const char* target, bool met) {
  std::printf("%-34s %10.2f %10.2f %-6s %6.2f  %-26s %s\n", what, value.ours, value.peer, unit,
              value.ours / value.peer, target, met ? "met" : "MISSED");
  std::fflush(stdout);
}

void run(const std::string& ours, const std::string& peer) {
  const Folder folder;
  const std::string& where = folder.path();
  const std::vector<Contender> both = {{"ours", {ours, "--stdio"}}, {"peer", {"node", peer}}};
  std::printf("%-34s %10s %10s %-6s %6s  %-26s\n", "what", "ours", "peer", "unit", "ratio",
              "target");

  const Pair start = alternate(both, 21, [&](const Contender& it) { return start_ms(it, where); });
  row("process start to initialize", "ms", start, "<= 15 ms, <= 0.25 x",
      start.ours <= 15 && start.ours <= start.peer / 4);
  const Pair memory =
      alternate(both, 3, [&](const Contender& it) { return resident_mib(it, where); });
  row("memory after initialize", "MiB", memory, "<= 16 MB", memory.ours <= 16);

  std::vector<double> tails[2];
  const Pair middle = alternate(both, 3, [&](const Contender& it) {
    const Spread trips = round_trips(it, where, 10'000);
    tails[it.name == "peer"].push_back(trips.p99);
    return trips.p50;
  });
  row("10,000 round trips, p50", "us", middle, "<= 1.5 x", middle.ours <= 1.5 * middle.peer);
  const Pair tail{spread(tails[0]).p50, spread(tails[1]).p50};
  row("10,000 round trips, p99", "us", tail, "<= 0.7 x", tail.ours <= 0.7 * tail.peer);

  const Pair rate =
      alternate(both, 3, [&](const Contender& it) { return pipelined(it, where, 20'000); });
  row("pipelined requests", "1/s", rate, ">= 2 x", rate.ours >= 2 * rate.peer);
  const Pair echo =
      alternate(both, 3, [&](const Contender& it) { return echo_ms(it, where, 1'100'000, 15); });
  row("1.1 MB message echoed", "ms", echo, "<= 1.5 x", echo.ours <= 1.5 * echo.peer);
  const Pair cancel =
      alternate(both, 1, [&](const Contender& it) { return cancels(it, where, 300).p99 / 1000; });
  row("cancel to reply, p99", "ms", cancel, "<= 5 ms", cancel.ours <= 5);

  std::printf(
      "\nGrowth of ours at 1 x, 10 x, 100 x the work (exponent of total time, none above 1.1):\n");
  const auto grow = [](const char* what, const std::function<double(int)>& total) {
    const double a = total(1), b = total(10), c = total(100);
    std::printf("%-34s %10.2f %10.2f %10.2f ms  %5.2f\n", what, a, b, c, growth(a, c));
    std::fflush(stdout);
  };
  grow("pipelined, 500 requests",
       [&](int by) { return 500'000.0 * by / pipelined(both[0], where, 500 * by); });
  grow("echoed message, 11 kB", [&](int by) {
    return echo_ms(both[0], where, static_cast<std::size_t>(11'000) * static_cast<std::size_t>(by),
                   15);
  });
  std::printf(
      "\nPeer: npm vscode-languageserver on node. Small request: workspace/executeCommand of "
      "brainstorm.models,\nhandled by both. Echo: the request's id is the payload. Cancel: a start "
      "that "
      "waits; ours also creates\nand aborts a session on disk, the peer does nothing.\n");
}

}  // namespace
}  // namespace brainstorm::bench

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: bench SERVER PEER.js\n");
    return 2;
  }
  brainstorm::bench::run(arguments[1], arguments[2]);
}
