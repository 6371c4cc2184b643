#pragma once
// A workspace in memory, a clock that stands still, and a loop to run one coroutine on.

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/ports.h"
#include "commands/task.h"

namespace brainstorm::test {

/// Time passes only when told, or by `per_look` with each look at it.
class StillClock : public Clock {
 public:
  WallTime wall() const override { return WallTime{}; }
  Millis monotonic() const override {
    now += per_look;
    return now;
  }
  Task<void> sleep(Millis /*duration*/) override { co_return; }
  std::uint64_t random() override { return 4; }

  mutable Millis now{1000};
  Millis per_look{0};
};

class MemoryWorkspace : public Workspace {
 public:
  Task<Result<Listing>> list() override {
    ++lists;
    if (failing) {
      co_return Error{ErrorCode::io_failed, "The folder \x1b[31mcannot\x1b[0m be listed", "", {}};
    }
    Listing listing;
    for (const auto& [path, content] : files) listing.paths.push_back(path);
    listing.truncated = truncated;
    co_return listing;
  }
  Result<std::string> read(const std::string& path) override {
    ++reads;
    const auto found = files.find(path);
    if (found == files.end()) return Error{ErrorCode::not_found, "No file " + path, "", {}};
    return found->second;
  }

  std::map<std::string, std::string> files;
  bool failing = false;
  bool truncated = false;
  int lists = 0;
  int reads = 0;
};

/// Runs one coroutine to its end; what it throws is thrown.
template <class T>
T run(asio::io_context& io, Task<T> task) {
  std::optional<T> value;
  std::exception_ptr error;
  asio::co_spawn(io, std::move(task), [&](const std::exception_ptr& thrown, T result) {
    error = thrown;
    if (!thrown) value = std::move(result);
  });
  io.restart();
  io.run();
  if (error) std::rethrow_exception(error);
  return std::move(*value);
}

inline std::string line_of(const std::string& content, std::size_t number) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i < number; ++i) {
    begin = content.find('\n', begin);
    if (begin == std::string::npos) return "";
    ++begin;
  }
  return content.substr(begin, content.find('\n', begin) - begin);
}

}  // namespace brainstorm::test
