#pragma once
// A language server as a child process, driven by plain blocking reads and writes: the same code
// for every server that is measured.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brainstorm::bench {

using Micros = std::chrono::duration<double, std::micro>;
using Timer = std::chrono::steady_clock;

class ServerProcess {
 public:
  /// Starts `command` in `folder` with HOME there. Ends the program when that is impossible.
  ServerProcess(const std::vector<std::string>& command, const std::string& folder);
  ~ServerProcess();  // kills it
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  /// initialize, its answer, initialized. `folder` becomes the only workspace folder.
  void initialize(const std::string& folder);
  void send(std::string_view body);
  /// Writes frames while reading answers, so that neither side can block the other; returns when
  /// `answers` of them have come.
  void exchange(std::string_view frames, std::size_t answers);
  /// The body of the next answer (a message with "result" or "error"); other messages are skipped.
  std::string answer();
  /// Resident memory in MiB.
  double resident() const;

 private:
  bool next_answer(std::string& body);
  void read_some();

  int pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the unread part of buffer_
};

/// Content-Length and the body.
std::string frame(std::string_view body);

/// Prints why and exits with 1: a benchmark has nothing to recover.
[[noreturn]] void give_up(const std::string& why);

}  // namespace brainstorm::bench
