#pragma once
// The only door to asio in commands/. The house rules for coroutines (CONTRIBUTING.md) exist
// because g++ 12 miscompiles what they forbid; read them before you add a co_await.

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/ports.h"
#include "commands/task_fwd.h"

namespace brainstorm {

/// Lets other work run; call it between slices of CPU work (≤ 5 ms each). Throws when cancelled.
Task<void> yield_turn();

/// True when this coroutine was asked to stop. Waits throw by themselves; loops of pure CPU ask.
Task<bool> cancel_requested();

/// True for the exception by which a cancelled wait unwinds.
bool is_cancellation(const std::exception_ptr& error);

/// Something to wait for on the one thread: a flag with waiters. set() wakes all; wait() returns at
/// once while set. A waiter that is cancelled unwinds as every wait does.
class Signal {
 public:
  explicit Signal(const asio::any_io_executor& executor);
  void set();
  void reset() { set_ = false; }
  bool is_set() const { return set_; }
  /// The Signal must outlive the wait.
  Task<void> wait();
  /// The same, deaf to cancellation, for what must not be cut short once begun; the caller's next
  /// wait throws if one came meanwhile.
  Task<void> wait_uncancelled();
  /// One sleep until set() or a cancellation, whichever comes; throws nothing after it began.
  Task<void> wake();

 private:
  asio::steady_timer timer_;
  bool set_ = false;
};

/// A background activity that can be cancelled and whose end is reported once, on the loop.
/// Destroying a running one cancels it; its end is then not reported.
class Background {
 public:
  enum class End { finished, cancelled, crashed };
  /// `crashed` carries what the exception said: a bug of ours, never a person's error.
  using OnEnd = std::function<void(End, const std::string& what)>;
  Background(const asio::any_io_executor& executor, Task<void> task, OnEnd on_end);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  void cancel();
  bool running() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

/// Runs all tasks at once and waits for every one of them, also when cancelled: the cancellation is
/// passed on, all children end, then it is rethrown. A task that throws counts as nullopt.
template <class T>
Task<std::vector<std::optional<T>>> gather(std::vector<Task<T>> tasks);

/// The task's value, or nullopt after `limit`: then the task is cancelled and has ended. What the
/// task throws is rethrown.
template <class T>
Task<std::optional<T>> with_timeout(Clock& clock, Millis limit, Task<T> task);

/// Runs a task to its end whatever is cancelled meanwhile; the caller's next wait throws then. For
/// writes: half of one must not look like none.
template <class T>
Task<T> uncancelled(Task<T> task);

}  // namespace brainstorm

#include "commands/task_impl.h"
