#pragma once
// The real server at the other end of two pipes, every wait bounded by a deadline.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "protocol/framing.h"

namespace brainstorm::test {

using Json = nlohmann::json;

class Server {
 public:
  struct Options {
    int deadline_ms = 20'000;  // of each wait
  };

  Server() : Server(Options()) {}
  explicit Server(Options options) : options_(std::move(options)) {
    std::string name = (std::filesystem::temp_directory_path() / "wire-XXXXXX").string();
    root_ = std::filesystem::canonical(::mkdtemp(name.data())).string();
    for (const char* directory : {"/home", "/project", "/project/src"}) {
      std::filesystem::create_directory(root_ + directory);
    }
    write("project/README.md", "# A parser\nThe parser could be replaced by a generator.\n");
    write("project/src/parser.cpp", "// The hand-written parser.\nint parse() { return 0; }\n");
    spawn();
  }
  ~Server() {
    close_input();
    if (out_ >= 0) ::close(out_);
    if (err_ >= 0) ::close(err_);
    if (!code_) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string folder() const { return root_ + "/project"; }
  std::string uri() const { return "file://" + folder(); }
  pid_t pid() const { return child_; }
  const std::string& errors() {
    take_errors();
    return err_text_;
  }
  void write(const std::string& path, const std::string& text) const {
    std::ofstream(root_ + "/" + path) << text;
  }

  /// Bytes as they are. While the server is slow in taking them, what it says is taken in.
  /// False: it reads no more.
  bool raw(std::string_view bytes) {
    const auto end = deadline();
    while (!bytes.empty()) {
      std::array<pollfd, 3> ends{
          {{in_, POLLOUT, 0}, {reading_ ? out_ : -1, POLLIN, 0}, {err_, POLLIN, 0}}};
      if (::poll(ends.data(), ends.size(), left(end)) <= 0) return false;
      if (ends[1].revents != 0) take_output();
      if (ends[2].revents != 0) take_errors();
      if ((ends[0].revents & POLLERR) != 0) return false;
      if ((ends[0].revents & POLLOUT) == 0) continue;
      const ssize_t count = ::write(in_, bytes.data(), bytes.size());
      if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  bool send(const Json& message) { return raw(frame(message.dump())); }
  void notify(const std::string& method, Json params = nullptr) {
    Json message{{"jsonrpc", "2.0"}, {"method", method}};
    if (!params.is_null()) message["params"] = std::move(params);
    send(message);
  }
  int request(const std::string& method, Json params = nullptr) {
    Json message{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}};
    if (!params.is_null()) message["params"] = std::move(params);
    send(message);
    return last_id_;
  }

  /// The next message for which `wanted` is true; earlier others are kept for later waits. Null
  /// when the server ends or the deadline passes.
  Json await(const std::function<bool(const Json&)>& wanted) {
    const auto end = deadline();
    for (std::size_t looked = 0;;) {
      for (; looked < inbox_.size(); ++looked) {
        if (!wanted(inbox_[looked])) continue;
        Json found = std::move(inbox_[looked]);
        inbox_.erase(inbox_.begin() + static_cast<std::ptrdiff_t>(looked));
        return found;
      }
      if (out_ < 0 || !take(end)) return nullptr;
    }
  }
  Json response(const Json& id) {
    return await(
        [&](const Json& it) { return !it.contains("method") && it.value("id", Json("?")) == id; });
  }
  Json call(const std::string& method, Json params = nullptr) {
    return response(request(method, std::move(params)));
  }
  Json command(const std::string& name, Json argument = Json::object()) {
    return call("workspace/executeCommand", {{"command", "brainstorm." + name},
                                             {"arguments", Json::array({std::move(argument)})}});
  }
  /// A request or notification of the server's.
  Json heard(const std::string& method) {
    return await([&](const Json& it) { return it.value("method", "") == method; });
  }
  /// What came so far and was not waited for.
  const std::deque<Json>& inbox() const { return inbox_; }

  Json initialize(Json capabilities = Json::object(), Json extra = Json::object()) {
    Json params{{"processId", nullptr},
                {"rootUri", nullptr},
                {"capabilities", std::move(capabilities)},
                {"workspaceFolders", Json::array({{{"uri", uri()}, {"name", "project"}}})}};
    params.update(extra);
    return call("initialize", std::move(params));
  }
  /// initialize and initialized.
  Json begin(Json capabilities = Json::object()) {
    Json answer = initialize(std::move(capabilities));
    notify("initialized", Json::object());
    return answer;
  }
  /// Whether it still answers.
  bool lives() {
    const Json answer = call("lives/ask");
    return answer.is_object() && answer.contains("error") && answer["error"]["code"] == -32601;
  }

  void close_input() {
    if (in_ >= 0) ::close(in_);
    in_ = -1;
  }
  /// Takes what is left of its output until it ends. Its exit code, or minus the signal; -1000 when
  /// it does not end in time.
  int ended() {
    const auto end = deadline();
    while (out_ >= 0) {
      if (!take(end) && out_ >= 0) return -1000;
    }
    while (!code_) {
      int status = 0;
      const pid_t done = ::waitpid(child_, &status, WNOHANG);
      if (done == child_) {
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      } else if (left(end) == 0) {
        return -1000;
      } else {
        ::poll(nullptr, 0, 1);
      }
    }
    return *code_;
  }
  int leave() {
    call("shutdown");
    notify("exit");
    return ended();
  }

  /// From now on nobody reads what the server says.
  void stop_reading() { reading_ = false; }
  void read_again() { reading_ = true; }

  /// Kilobytes, of a field of /proc/pid/status.
  long status_kb(const std::string& field) const {
    std::ifstream file("/proc/" + std::to_string(child_) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(field + ":"))
        return std::strtol(line.c_str() + field.size() + 1, nullptr, 10);
    }
    return -1;
  }

  /// Everything that came on stdout was a well-formed frame with a JSON-RPC message.
  bool pure() const { return pure_; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  Time deadline() const {
    return std::chrono::steady_clock::now() + std::chrono::milliseconds(options_.deadline_ms);
  }
  static int left(Time end) {
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    return std::max(0, static_cast<int>(rest.count()));
  }

  void spawn() {
    std::array<int, 2> in{}, out{}, err{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0 ||
        ::pipe2(err.data(), O_CLOEXEC) != 0) {
      std::abort();
    }
    child_ = ::fork();
    if (child_ == 0) exec(in[0], out[1], err[1]);
    ::close(in[0]);
    ::close(out[1]);
    ::close(err[1]);
    in_ = in[1];
    out_ = out[0];
    err_ = err[0];
    for (const int own : {in_, out_, err_}) ::fcntl(own, F_SETFL, O_NONBLOCK);
    ::signal(SIGPIPE, SIG_IGN);
  }

  [[noreturn]] void exec(int in, int out, int err) const {
    ::dup2(in, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    if (::chdir(folder().c_str()) != 0) ::_exit(126);
    const char* program = std::getenv("BRAINSTORM_LS");
    std::vector<std::string> words{program != nullptr ? program : "brainstorm-ls", "--stdio"};
    std::vector<std::string> variables{"HOME=" + root_ + "/home", "PATH=/usr/bin:/bin",
                                       "LANG=C.UTF-8"};
    std::vector<char*> argv, environment;
    for (auto& word : words) argv.push_back(word.data());
    for (auto& one : variables) environment.push_back(one.data());
    argv.push_back(nullptr);
    environment.push_back(nullptr);
    ::execve(argv[0], argv.data(), environment.data());
    ::_exit(127);
  }

  /// Takes in what comes, once. False at the deadline or the end.
  bool take(Time end) {
    std::array<pollfd, 2> ends{{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
    if (::poll(ends.data(), ends.size(), left(end)) <= 0) return false;
    if (ends[1].revents != 0) take_errors();
    return ends[0].revents == 0 || take_output();
  }

  bool take_output() {
    std::array<char, 65536> buffer{};
    const auto count = ::read(out_, buffer.data(), buffer.size());
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) {
      ::close(out_);
      out_ = -1;
      pure_ = pure_ && framer_.at_boundary();
      return false;
    }
    framer_.feed({buffer.data(), static_cast<std::size_t>(count)});
    while (auto event = framer_.next()) {
      Json message;
      if (event->kind == FrameEvent::Kind::body) message = Json::parse(event->text, nullptr, false);
      pure_ = pure_ && message.is_object() && message.value("jsonrpc", "") == "2.0";
      if (message.is_object()) inbox_.push_back(std::move(message));
    }
    return true;
  }

  void take_errors() {
    std::array<char, 65536> buffer{};
    while (err_ >= 0) {
      const auto count = ::read(err_, buffer.data(), buffer.size());
      if (count < 0) return;
      if (count == 0) {
        ::close(err_);
        err_ = -1;
        return;
      }
      err_text_.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

  Options options_;
  std::string root_;
  pid_t child_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  bool reading_ = true;
  Framer framer_{std::size_t{256} << 20};
  std::deque<Json> inbox_;
  std::string err_text_;
  bool pure_ = true;
  std::optional<int> code_;
  int last_id_ = 1000;
};

/// {code} of an error response; 0 for a success, 1 when nothing came.
inline int code_of(const Json& answer) {
  if (!answer.is_object()) return 1;
  return answer.contains("error") ? answer["error"].value("code", 1) : 0;
}

}  // namespace brainstorm::test
