#pragma once
// Coroutines that work for the connection: commands that take a while, answers to prompts.

#include <asio/any_io_executor.hpp>
#include <cstdint>
#include <map>
#include <memory>

#include "commands/task.h"

namespace brainstorm {

class Jobs {
 public:
  explicit Jobs(const asio::any_io_executor& executor);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Runs to its end or until it is cancelled; a crash is logged on stderr.
  std::uint64_t spawn(Task<void> task);
  /// Nothing happens when it has ended.
  void cancel(std::uint64_t job);
  /// Cancels all and returns when the last has ended.
  Task<void> stop();

 private:
  struct Job {
    std::unique_ptr<Background> background;
  };
  asio::any_io_executor executor_;
  std::map<std::uint64_t, std::shared_ptr<Job>> jobs_;
  std::uint64_t last_ = 0;
  Signal ended_;
};

}  // namespace brainstorm
