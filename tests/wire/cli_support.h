#pragma once
// Runs the real binary to its end in a folder and a home of its own.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace brainstorm::test {

struct Ran {
  int code = -1;  // exit code, or minus the signal's number
  std::string out, err;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The lines of --json output.
inline std::vector<nlohmann::json> events(const std::string& out) {
  std::vector<nlohmann::json> list;
  std::size_t at = 0;
  while (at < out.size()) {
    const auto end = std::min(out.find('\n', at), out.size());
    list.push_back(nlohmann::json::parse(out.substr(at, end - at), nullptr, false));
    at = end + 1;
  }
  return list;
}

class CommandLine {
 public:
  CommandLine() {
    std::string name = (std::filesystem::temp_directory_path() / "cli-XXXXXX").string();
    root_ = std::filesystem::canonical(::mkdtemp(name.data())).string();
    ::chmod(root_.c_str(), 0755);
    std::filesystem::create_directory(home());
    std::filesystem::create_directory(folder());
  }
  ~CommandLine() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  std::string home() const { return root_ + "/home"; }
  std::string folder() const { return root_ + "/project"; }

  std::string write(const std::string& path, const std::string& content, mode_t mode = 0644) const {
    const auto file = root_ + "/" + path;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file) << content;
    ::chmod(file.c_str(), mode);
    return file;
  }
  std::string read(const std::string& path) const {
    std::ifstream file(root_ + "/" + path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// A small project that holds the words of the questions below.
  void fill() const {
    write("project/src/parser.cpp",
          "// The hand-written parser.\nint parse(const char* text) {\n  // No recovery from "
          "errors yet.\n"
          "  return text ? 1 : 0;\n}\n");
    write("project/CMakeLists.txt", "project(parser)\nadd_library(parser src/parser.cpp)\n");
    write("project/tests/parser_test.cpp", "// tests of the parser\nint main() { return 0; }\n");
    write("project/README.md", "# A parser\nThe parser could be replaced by a generator.\n");
  }

  std::vector<std::string> sessions() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder() + "/.workflow", error)) {
      const auto name = entry.path().filename().string();
      if (name.starts_with("swarm-session-")) names.push_back(name);
    }
    return names;
  }

  struct Options {
    bool as_nobody = false;     // drop root's right to write everywhere
    bool remove_cwd = false;    // start in a directory that is gone
    bool close_stdout = false;  // nobody reads what is printed
    std::string cwd = {};       // default: the project
    std::map<std::string, std::string> variables = {};
  };

  Ran run(std::vector<std::string> words) const { return run(std::move(words), Options()); }

  Ran run(std::vector<std::string> words, const Options& options) const {
    words.insert(words.begin(), binary());
    if (options.as_nobody && ::geteuid() == 0) {
      const std::vector<std::string> drop{"/usr/bin/setpriv", "--reuid", "65534",
                                          "--regid",          "65534",   "--clear-groups"};
      words.insert(words.begin(), drop.begin(), drop.end());
    }
    std::array<int, 2> out{}, err{};
    if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) return {};
    const pid_t child = ::fork();
    if (child == 0) start(words, options, out[1], err[1]);
    ::close(out[1]);
    ::close(err[1]);
    if (options.close_stdout) {
      ::close(out[0]);
      out[0] = -1;
    }
    Ran ran;
    collect(child, out[0], err[0], ran);
    return ran;
  }

  static std::string binary() {
    const char* path = std::getenv("BRAINSTORM_LS");
    return path ? path : "brainstorm-ls";
  }

 private:
  [[noreturn]] void start(const std::vector<std::string>& words, const Options& options, int out,
                          int err) const {
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    const auto cwd = options.cwd.empty() ? folder() : options.cwd;
    const auto gone = root_ + "/gone";
    if (options.remove_cwd) ::mkdir(gone.c_str(), 0755);
    if (::chdir(options.remove_cwd ? gone.c_str() : cwd.c_str()) != 0) ::_exit(126);
    if (options.remove_cwd) ::rmdir(gone.c_str());
    std::vector<std::string> variables{"HOME=" + home(), "PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
    for (const auto& [name, value] : options.variables) variables.push_back(name + "=" + value);
    std::vector<char*> argv, environment;
    for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    for (const auto& one : variables) environment.push_back(const_cast<char*>(one.c_str()));
    argv.push_back(nullptr);
    environment.push_back(nullptr);
    ::execve(argv[0], argv.data(), environment.data());
    ::_exit(127);
  }

  static void collect(pid_t child, int out, int err, Ran& ran) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    std::array<pollfd, 2> ends{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) {
        ::kill(child, SIGKILL);
        break;
      }
      if (::poll(ends.data(), ends.size(), static_cast<int>(left.count())) <= 0) continue;
      take(ends[0], ran.out);
      take(ends[1], ran.err);
    }
    for (const auto& end : ends) {
      if (end.fd >= 0) ::close(end.fd);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  static void take(pollfd& end, std::string& text) {
    if (end.fd < 0 || end.revents == 0) return;
    std::array<char, 65536> buffer{};
    const auto count = ::read(end.fd, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
      return;
    }
    ::close(end.fd);
    end.fd = -1;
  }

  std::string root_;
};

}  // namespace brainstorm::test
