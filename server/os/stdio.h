#pragma once
// The process's stdin and stdout as byte streams of a protocol. While a Stdio lives, nobody else
// can spoil them: fd 0 reads /dev/null and fd 1 is stderr, so neither a stray print nor a child
// process reaches the peer. Works with pipes, sockets, terminals and regular files.

#include <memory>
#include <string>
#include <string_view>

#include "commands/task_fwd.h"
#include "protocol/result.h"

namespace asio {
class any_io_executor;
}

namespace brainstorm {

class Stdio {
 public:
  /// Takes over fd 0 and 1 and ignores SIGPIPE. io_failed when one of them is not open.
  static Result<std::unique_ptr<Stdio>> open(const asio::any_io_executor& executor);
  /// Gives the descriptors back as they were, O_NONBLOCK included: they may be shared with a shell.
  ~Stdio();
  Stdio(const Stdio&) = delete;
  Stdio& operator=(const Stdio&) = delete;

  /// The bytes that are there, at least one; empty at the end of the input. Cancellable.
  Task<Result<std::string>> read_some();
  /// Writes what fits without waiting and returns how much that was, possibly 0.
  /// io_failed when the reader is gone: nothing can be written from then on.
  Result<std::size_t> try_write(std::string_view bytes);
  /// Returns when more may fit. Cancellable; one waiter at a time.
  Task<Result<void>> wait_writable();
  /// Ends read_some() and wait_writable() by cancellation; both streams stay usable.
  void cancel();

 private:
  struct Impl;
  explicit Stdio(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace brainstorm
