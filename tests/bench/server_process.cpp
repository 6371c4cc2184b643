#include "tests/bench/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace brainstorm::bench {
namespace {

constexpr int kPatienceMs = 60'000;

void exec_child(const std::vector<std::string>& command, const std::string& folder, int in,
                int out) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  const int quiet = open("/dev/null", O_WRONLY);
  if (quiet >= 0) dup2(quiet, STDERR_FILENO);
  if (chdir(folder.c_str()) != 0) _exit(126);
  setenv("HOME", folder.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

/// An answer has an id and no method; the servers write "result" or "error" within the first bytes
/// after a short id, or at the end after a long one.
bool is_answer(std::string_view body) {
  const std::string_view head = body.substr(0, 200);
  if (head.find("\"method\"") != std::string_view::npos) return false;
  return body.find("\"result\"") != std::string_view::npos ||
         body.find("\"error\"") != std::string_view::npos;
}

}  // namespace

void give_up(const std::string& why) {
  std::fprintf(stderr, "bench: %s\n", why.c_str());
  std::exit(1);
}

std::string frame(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

ServerProcess::ServerProcess(const std::vector<std::string>& command, const std::string& folder) {
  signal(SIGPIPE, SIG_IGN);
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) give_up("no pipe");
  pid_ = fork();
  if (pid_ < 0) give_up("no process");
  if (pid_ == 0) exec_child(command, folder, in[0], out[1]);
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

ServerProcess::~ServerProcess() {
  close(to_);
  close(from_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void ServerProcess::read_some() {
  pollfd ready{from_, POLLIN, 0};
  if (poll(&ready, 1, kPatienceMs) <= 0) give_up("a server does not answer");
  if (begin_ > 0 && begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
  }
  char chunk[65536];
  const ssize_t count = read(from_, chunk, sizeof chunk);
  if (count <= 0) give_up("a server ended early");
  buffer_.append(chunk, static_cast<std::size_t>(count));
}

bool ServerProcess::next_answer(std::string& body) {
  for (;;) {
    const std::string_view unread = std::string_view(buffer_).substr(begin_);
    const std::size_t end = unread.find("\r\n\r\n");
    if (end == std::string_view::npos) return false;
    const std::size_t name = unread.find("Content-Length:");
    if (name > end) give_up("a server writes something that is no frame");
    const std::size_t length = std::strtoul(unread.data() + name + 15, nullptr, 10);
    if (unread.size() < end + 4 + length) return false;
    const std::string_view whole = unread.substr(end + 4, length);
    begin_ += end + 4 + length;
    if (!is_answer(whole)) continue;
    body = whole;
    return true;
  }
}

std::string ServerProcess::answer() {
  std::string body;
  while (!next_answer(body)) read_some();
  return body;
}

void ServerProcess::send(std::string_view body) {
  const std::string bytes = frame(body);
  if (bytes.size() > 16384) {  // might fill the pipe while the server waits for us to read
    exchange(bytes, 0);
  } else if (write(to_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    give_up("a server does not read");
  }
}

void ServerProcess::exchange(std::string_view frames, std::size_t answers) {
  const int flags = fcntl(to_, F_GETFL);
  fcntl(to_, F_SETFL, flags | O_NONBLOCK);
  std::string body;
  while (!frames.empty() || answers > 0) {
    pollfd ready[2] = {{from_, POLLIN, 0}, {frames.empty() ? -1 : to_, POLLOUT, 0}};
    if (poll(ready, 2, kPatienceMs) <= 0) give_up("a server is stuck");
    if (ready[1].revents != 0) {
      const ssize_t count = write(to_, frames.data(), frames.size());
      if (count < 0 && errno != EAGAIN) give_up("a server closed its input");
      if (count > 0) frames.remove_prefix(static_cast<std::size_t>(count));
    }
    if (ready[0].revents != 0) {
      read_some();
      while (answers > 0 && next_answer(body)) --answers;
    }
  }
  fcntl(to_, F_SETFL, flags);
}

void ServerProcess::initialize(const std::string& folder) {
  const std::string uri = "file://" + folder;
  send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"rootUri":")" +
       uri + R"(","capabilities":{},"workspaceFolders":[{"uri":")" + uri +
       R"(","name":"bench"}]}})");
  answer();
  send(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
}

double ServerProcess::resident() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

}  // namespace brainstorm::bench
