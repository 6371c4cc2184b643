#pragma once
// Lines typed at the terminal, read on the loop.

#include <memory>
#include <optional>
#include <string>

#include "commands/task_fwd.h"

namespace asio {
class any_io_executor;
}

namespace brainstorm::cli {

class Keyboard {
 public:
  /// nullptr when stdin is no terminal, or cannot be opened anew: then nobody can be asked.
  static std::unique_ptr<Keyboard> open(const asio::any_io_executor& executor);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /// The next line without its end; nullopt at the end of the input (Ctrl-D) or when interrupted.
  Task<std::optional<std::string>> line();
  /// Ends a line() that waits.
  void interrupt();

 private:
  struct Impl;
  explicit Keyboard(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace brainstorm::cli
