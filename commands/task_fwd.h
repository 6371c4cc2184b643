#pragma once
// The coroutine type without its heavy header: enough to declare functions that return one.

namespace asio {
class any_io_executor;
template <typename T, typename Executor>
class awaitable;
}  // namespace asio

namespace brainstorm {
template <class T>
using Task = asio::awaitable<T, asio::any_io_executor>;
}  // namespace brainstorm
