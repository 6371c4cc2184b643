#pragma once
// Templates of task.h.

namespace brainstorm::detail {

/// Child coroutines of one parent coroutine. The parent calls join() before it leaves: after it no
/// child runs any more.
class Children {
 public:
  explicit Children(const asio::any_io_executor& executor);

  template <class T, class OnEnd>
  void spawn(Task<T> task, OnEnd on_end) {
    auto shared = shared_;
    auto signal = std::make_shared<asio::cancellation_signal>();
    shared->signals.push_back(signal);
    ++shared->running;
    auto ended = [shared, signal, on_end = std::move(on_end)](const std::exception_ptr& error,
                                                              auto... value) mutable {
      on_end(error, std::move(value)...);
      --shared->running;
      shared->changed.set();
    };
    asio::co_spawn(executor_, std::move(task),
                   asio::bind_cancellation_slot(signal->slot(), std::move(ended)));
  }

  /// Waits for all. When the parent is cancelled: cancels them, goes on waiting, then throws.
  Task<void> join();
  /// The same, but once one has ended the others are cancelled.
  Task<void> race();

 private:
  struct Shared {
    explicit Shared(const asio::any_io_executor& executor) : changed(executor) {}
    Signal changed;
    std::vector<std::shared_ptr<asio::cancellation_signal>> signals;
    std::size_t running = 0;
  };
  static void cancel(Shared& shared);
  static Task<void> end(std::shared_ptr<Shared> shared, bool first_wins);

  asio::any_io_executor executor_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace brainstorm::detail

namespace brainstorm {

template <class T>
Task<std::vector<std::optional<T>>> gather(std::vector<Task<T>> tasks) {
  auto executor = co_await asio::this_coro::executor;
  auto results = std::make_shared<std::vector<std::optional<T>>>(tasks.size());
  detail::Children children(executor);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    children.spawn(std::move(tasks[i]), [results, i](const std::exception_ptr& error, T value) {
      if (!error) (*results)[i] = std::move(value);
    });
  }
  co_await children.join();
  co_return std::move(*results);
}

template <class T>
Task<std::optional<T>> with_timeout(Clock& clock, Millis limit, Task<T> task) {
  struct Outcome {
    std::optional<T> value;
    std::exception_ptr error;
    bool ended = false;
    bool timed_out = false;
  };
  auto executor = co_await asio::this_coro::executor;
  auto outcome = std::make_shared<Outcome>();
  detail::Children children(executor);
  children.spawn(std::move(task), [outcome](const std::exception_ptr& error, T value) {
    outcome->ended = true;
    outcome->error = error;
    if (!error) outcome->value = std::move(value);
  });
  auto sleep = clock.sleep(limit);
  children.spawn(std::move(sleep),
                 [outcome](const std::exception_ptr&) { outcome->timed_out = !outcome->ended; });
  co_await children.race();
  if (outcome->error && !outcome->timed_out) std::rethrow_exception(outcome->error);
  co_return std::move(outcome->value);
}

template <class T>
Task<T> uncancelled(Task<T> task) {
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  auto result = co_await std::move(task);
  co_await asio::this_coro::throw_if_cancelled(throws);
  co_return result;
}

}  // namespace brainstorm
