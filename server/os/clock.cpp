#include "server/os/clock.h"

#include <sys/random.h>
#include <time.h>

#include <algorithm>
#include <asio/awaitable.hpp>
#include <asio/basic_waitable_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>

namespace brainstorm {
namespace {

/// CLOCK_BOOTTIME as a standard clock.
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
  static time_point now() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
  }
};

/// asio waits in CLOCK_MONOTONIC, which stands still during suspend: it has to look again now and
/// then.
struct BootWait {
  static constexpr BootClock::duration kLookAgain = std::chrono::seconds(30);
  static BootClock::duration to_wait_duration(const BootClock::duration& wait) {
    return std::min(wait, kLookAgain);
  }
  static BootClock::duration to_wait_duration(const BootClock::time_point& until) {
    return to_wait_duration(until - BootClock::now());
  }
};

using BootTimer = asio::basic_waitable_timer<BootClock, BootWait>;

}  // namespace

WallTime SystemClock::wall() const {
  return std::chrono::floor<Millis>(std::chrono::system_clock::now());
}

Millis SystemClock::monotonic() const {
  return std::chrono::duration_cast<Millis>(BootClock::now().time_since_epoch());
}

Task<void> SystemClock::sleep(Millis duration) {
  constexpr Millis kForever = std::chrono::hours(24 * 3650);  // keeps the sum in range
  const Millis wait = std::clamp(duration, Millis(0), kForever);
  auto executor = co_await asio::this_coro::executor;
  BootTimer timer(executor);
  timer.expires_at(BootClock::now() + wait);
  co_await timer.async_wait(asio::use_awaitable);
}

std::uint64_t SystemClock::random() {
  std::uint64_t value = 0;
  // Never short for so few bytes; interrupted only before the kernel's pool is ready.
  while (::getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
  }
  return value;
}

}  // namespace brainstorm
