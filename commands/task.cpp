#include "commands/task.h"

#include <asio/error.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/system_error.hpp>
#include <asio/use_awaitable.hpp>

namespace brainstorm {

Task<void> yield_turn() {
  auto executor = co_await asio::this_coro::executor;
  co_await asio::post(executor, asio::use_awaitable);
}

Task<bool> cancel_requested() {
  auto state = co_await asio::this_coro::cancellation_state;
  co_return state.cancelled() != asio::cancellation_type::none;
}

bool is_cancellation(const std::exception_ptr& error) {
  if (!error) return false;
  try {
    std::rethrow_exception(error);
  } catch (const asio::system_error& caught) {
    return caught.code() == asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

Signal::Signal(const asio::any_io_executor& executor)
    : timer_(executor, asio::steady_timer::time_point::max()) {}

void Signal::set() {
  set_ = true;
  timer_.cancel();
}

Task<void> Signal::wait() {
  while (!set_) {
    co_await wake();
    auto state = co_await asio::this_coro::cancellation_state;
    if (!set_ && state.cancelled() != asio::cancellation_type::none) {
      throw asio::system_error(asio::error::operation_aborted);
    }
  }
}

Task<void> Signal::wake() {
  if (set_) co_return;
  asio::error_code woken;
  co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

Task<void> Signal::wait_uncancelled() {
  // Not reset_cancellation_state: that would forget a cancellation that the caller must still see.
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  while (!set_) co_await wake();
  co_await asio::this_coro::throw_if_cancelled(throws);
}

struct Background::Shared {
  asio::cancellation_signal signal;
  OnEnd on_end;
  bool running = true;
};

Background::Background(const asio::any_io_executor& executor, Task<void> task, OnEnd on_end)
    : shared_(std::make_shared<Shared>()) {
  shared_->on_end = std::move(on_end);
  auto ended = [shared = shared_](const std::exception_ptr& error) {
    shared->running = false;
    auto report = std::exchange(shared->on_end, nullptr);
    if (!report) return;
    if (!error) return report(End::finished, "");
    if (is_cancellation(error)) return report(End::cancelled, "");
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& caught) {
      report(End::crashed, caught.what());
    } catch (...) {
      report(End::crashed, "unknown exception");
    }
  };
  asio::co_spawn(executor, std::move(task),
                 asio::bind_cancellation_slot(shared_->signal.slot(), std::move(ended)));
}

Background::~Background() {
  shared_->on_end = nullptr;
  cancel();
}

void Background::cancel() {
  if (shared_->running) shared_->signal.emit(asio::cancellation_type::terminal);
}

bool Background::running() const { return shared_->running; }

namespace detail {

Children::Children(const asio::any_io_executor& executor)
    : executor_(executor), shared_(std::make_shared<Shared>(executor)) {}

void Children::cancel(Shared& shared) {
  // A copy: a child may end, and the list of signals change, while we go through it.
  auto signals = shared.signals;
  for (auto& signal : signals) signal->emit(asio::cancellation_type::terminal);
}

Task<void> Children::join() { return end(shared_, false); }

Task<void> Children::race() { return end(shared_, true); }

Task<void> Children::end(std::shared_ptr<Shared> shared, bool first_wins) {
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  const std::size_t spawned = shared->running;
  bool cancelled = false;
  bool passed_on = false;
  while (shared->running > 0) {
    auto state = co_await asio::this_coro::cancellation_state;
    cancelled = state.cancelled() != asio::cancellation_type::none;
    const bool won = first_wins && shared->running < spawned;
    if (!passed_on && (cancelled || won)) {
      passed_on = true;
      cancel(*shared);
    }
    shared->changed.reset();
    co_await shared->changed.wake();
  }
  co_await asio::this_coro::throw_if_cancelled(throws);
  if (cancelled) throw asio::system_error(asio::error::operation_aborted);
}

}  // namespace detail
}  // namespace brainstorm
