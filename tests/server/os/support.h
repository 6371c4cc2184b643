#pragma once
// Helpers of the tests that touch the real system.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <asio/io_context.hpp>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <variant>

#include "commands/task.h"

namespace brainstorm::test {

/// A directory of its own, gone afterwards; its path has no links in it.
class TempDir {
 public:
  TempDir() {
    std::string name = std::filesystem::canonical(std::filesystem::temp_directory_path()).string() +
                       "/brainstorm-test-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline void write_file(const std::string& path, std::string_view bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline Task<std::monostate> as_value(Task<void> task) {
  co_await std::move(task);
  co_return std::monostate();
}

/// Runs the loop until the task has ended; what it throws is rethrown.
template <class T>
T run(asio::io_context& io, Task<T> task) {
  std::optional<T> result;
  std::exception_ptr thrown;
  bool ended = false;
  asio::co_spawn(io, std::move(task), [&](std::exception_ptr error, T value) {
    thrown = error;
    if (!error) result = std::move(value);
    ended = true;
  });
  io.restart();
  while (!ended && io.run_one() != 0) {
  }
  if (thrown) std::rethrow_exception(thrown);
  return std::move(result.value());
}

inline void run(asio::io_context& io, Task<void> task) { run(io, as_value(std::move(task))); }

/// Runs the loop until `condition` holds, at most ten seconds; whether it holds.
inline bool run_until(asio::io_context& io, const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  io.restart();
  while (!condition() && std::chrono::steady_clock::now() < end) {
    io.run_one_until(end);
    if (io.stopped()) break;
  }
  return condition();
}

/// What `body` returns in a process of its own, where it may give up rights or mount things.
inline std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    std::string text;
    try {
      text = body();
    } catch (const std::exception& caught) {
      text = std::string("exception: ") + caught.what();
    }
    if (::write(ends[1], text.data(), text.size()) < 0) ::_exit(2);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) text += " (died)";
  return text;
}

}  // namespace brainstorm::test
