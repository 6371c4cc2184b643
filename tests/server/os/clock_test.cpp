#include "server/os/clock.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/server/os/support.h"

using namespace brainstorm;

TEST_CASE("a sleep lasts as long as asked, by the clock that goes on during suspend") {
  asio::io_context io;
  SystemClock clock;
  const Millis before = clock.monotonic();
  test::run(io, clock.sleep(Millis(40)));
  const Millis slept = clock.monotonic() - before;
  CHECK(slept >= Millis(39));
  CHECK(slept < Millis(2000));
}

TEST_CASE("negative and endless sleeps are in range") {
  asio::io_context io;
  SystemClock clock;
  test::run(io, clock.sleep(Millis(-5)));
  bool cancelled = false;
  Background endless(io.get_executor(), clock.sleep(Millis::max()),
                     [&](Background::End end, const std::string&) {
                       cancelled = end == Background::End::cancelled;
                     });
  io.restart();
  io.poll();
  CHECK(endless.running());
  endless.cancel();
  CHECK(test::run_until(io, [&] { return cancelled; }));
}

TEST_CASE("an idle loop has nothing to wait for") {
  asio::io_context io;
  SystemClock clock;
  test::run(io, clock.sleep(Millis(1)));
  io.restart();
  CHECK(io.run() == 0);
}

TEST_CASE("random numbers differ, wall time is plausible") {
  SystemClock clock;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) seen.insert(clock.random());
  CHECK(seen.size() == 100);
  CHECK(clock.wall() > WallTime(std::chrono::sys_days(std::chrono::year(2024) / 1 / 1)));
}
