#include "server/os/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <asio/detached.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <cerrno>
#include <csignal>

#include "commands/task.h"
#include "server/os/descriptor.h"

extern char** environ;

namespace brainstorm {
namespace {

constexpr std::size_t kMaxErrors = std::size_t{64} << 10;
constexpr Millis kTermToKill = std::chrono::seconds(2);
/// How long output may trickle in after the end: only a process that left the group can hold the
/// pipe.
constexpr Millis kDrain{200};
constexpr Millis kPoll{20};  // where the kernel has no pidfd

using Stream = asio::posix::stream_descriptor;

struct Output {
  Stream stream;
  std::size_t limit;
  std::string text;
  bool truncated = false;
};

/// Kills and reaps with its last owner, whatever happened before.
struct Child {
  Child(const asio::any_io_executor& executor, std::size_t max_output)
      : out{Stream(executor), max_output, {}},
        err{Stream(executor), kMaxErrors, {}},
        handle(executor),
        drained(executor) {}
  ~Child() {
    if (pid > 0) reap(0);
  }

  /// The group goes first: as long as its leader is not reaped, nobody else can have its number.
  void reap(int flags) {
    if (flags == 0) ::kill(-pid, SIGKILL);
    int status = 0;
    pid_t ended = 0;
    do {
      ended = ::waitpid(pid, &status, flags);
    } while (ended < 0 && errno == EINTR);
    if (ended == 0) return;
    if (ended == pid) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    pid = -1;
  }
  bool has_exited() const {
    siginfo_t info{};
    const int rc = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
    return rc < 0 || info.si_pid == pid;
  }

  pid_t pid = -1;
  int code = -1;
  Output out, err;
  Stream handle;  // the pidfd
  int draining = 2;
  Signal drained;
};

using ChildPtr = std::shared_ptr<Child>;

struct Pipe {
  Descriptor read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return os_error(errno, "make", "a pipe");
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// posix_spawn's two tables, freed in any case.
struct Setup {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  Setup() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~Setup() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  void describe(const Command& command, int out, int err) {
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out, 1);
    ::posix_spawn_file_actions_adddup2(&actions, err, 2);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!command.cwd.empty()) {
      ::posix_spawn_file_actions_addchdir_np(&actions, command.cwd.c_str());
    }
    sigset_t none;
    sigset_t ordinary;
    sigemptyset(&none);
    sigfillset(&ordinary);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &ordinary);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

int start(Command& command, pid_t& pid, int out, int err) {
  Setup setup;
  setup.describe(command, out, err);
  std::vector<std::string> assignments;
  if (command.env) {
    for (const auto& [name, value] : *command.env) assignments.push_back(name + "=" + value);
  }
  const auto argv = pointers(command.argv);
  const auto env = pointers(assignments);
  return ::posix_spawnp(&pid, argv[0], &setup.actions, &setup.attributes, argv.data(),
                        command.env ? env.data() : environ);
}

Ok check_start(const Command& command) {
  if (command.argv.empty() || command.argv[0].empty()) {
    return Error{ErrorCode::invalid_argument, "no program to run was named", "Name a program.", {}};
  }
  struct stat info {};
  if (command.cwd.empty()) return {};
  if (::stat(command.cwd.c_str(), &info) != 0) return os_error(errno, "work in", command.cwd);
  if (!S_ISDIR(info.st_mode)) return os_error(ENOTDIR, "work in", command.cwd);
  return {};
}

Result<ChildPtr> spawn(const asio::any_io_executor& executor, Command& command) {
  TRY_OK(check_start(command));
  TRY(Pipe out, make_pipe());
  TRY(Pipe err, make_pipe());
  auto child = std::make_shared<Child>(executor, command.max_output);
  asio::error_code error;
  child->out.stream.assign(out.read.get(), error);
  if (error) return os_error(error.value(), "watch", "a pipe");
  out.read.release();
  child->err.stream.assign(err.read.get(), error);
  if (error) return os_error(error.value(), "watch", "a pipe");
  err.read.release();
  pid_t pid = -1;
  const int failed = start(command, pid, out.write.get(), err.write.get());
  if (failed != 0) {
    Error result = os_error(failed, "run", command.argv[0]);
    result.hint = "Check that the program is installed, may be run, and is in PATH.";
    return result;
  }
  child->pid = pid;
  // glibc 2.36 declares pidfd_open without C linkage.
  Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (handle) child->handle.assign(handle.get(), error);
  if (handle && !error) handle.release();
  return child;
}

Task<bool> drain(ChildPtr child, Output& output) {
  std::array<char, 16384> buffer{};
  while (true) {
    asio::error_code error;
    const auto space = asio::buffer(buffer);
    const std::size_t count = co_await output.stream.async_read_some(
        space, asio::redirect_error(asio::use_awaitable, error));
    const std::size_t room = output.limit - output.text.size();
    output.text.append(buffer.data(), std::min(count, room));
    if (count > room) output.truncated = true;
    if (error) break;
  }
  if (--child->draining == 0) child->drained.set();
  co_return true;
}

Task<bool> wait_exit(Clock& clock, ChildPtr child) {
  while (child->pid > 0 && !child->has_exited()) {
    if (!child->handle.is_open()) {
      co_await clock.sleep(kPoll);
      continue;
    }
    co_await child->handle.async_wait(Stream::wait_read, asio::use_awaitable);
  }
  if (child->pid > 0) child->reap(0);
  co_return true;
}

Task<bool> wait_drained(ChildPtr child) {
  co_await child->drained.wait();
  co_return true;
}

Task<bool> wait_end(Clock& clock, ChildPtr child) {
  co_await wait_exit(clock, child);
  auto rest = wait_drained(child);
  co_await with_timeout(clock, kDrain, std::move(rest));
  asio::error_code ignored;
  child->out.stream.close(ignored);
  child->err.stream.close(ignored);
  co_return true;
}

Task<bool> attend(Clock& clock, ChildPtr child) {
  std::vector<Task<bool>> tasks;
  tasks.push_back(drain(child, child->out));
  tasks.push_back(drain(child, child->err));
  tasks.push_back(wait_end(clock, child));
  co_await gather(std::move(tasks));
  co_return true;
}

/// Ends the group of a child that was given up. Runs by itself, so that no cancellation reaches it.
Task<void> end_group(Clock& clock, ChildPtr child, std::shared_ptr<Signal> ended) {
  if (child->pid > 0) {
    ::kill(-child->pid, SIGTERM);
    auto exit = wait_exit(clock, child);
    co_await with_timeout(clock, kTermToKill, std::move(exit));
    if (child->pid > 0) child->reap(0);
  }
  ended->set();
}

}  // namespace

Task<Result<Finished>> run_process(Clock& clock, Command command) {
  auto executor = co_await asio::this_coro::executor;
  CO_TRY(ChildPtr child, spawn(executor, command));
  std::optional<bool> attended;
  std::exception_ptr thrown;
  try {
    auto work = attend(clock, child);
    attended = co_await with_timeout(clock, command.timeout, std::move(work));
  } catch (...) {
    thrown = std::current_exception();
  }
  if (child->pid > 0) {
    auto ended = std::make_shared<Signal>(executor);
    asio::co_spawn(executor, end_group(clock, child, ended), asio::detached);
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await ended->wait_uncancelled();
    co_await asio::this_coro::throw_if_cancelled(throws);
  }
  if (thrown) std::rethrow_exception(thrown);
  if (!attended) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(command.timeout).count();
    co_return Error{ErrorCode::deadline,
                    command.argv[0] + " did not end within " + std::to_string(seconds) + " s",
                    "It was stopped. Run it by hand to see what it waits for.",
                    {}};
  }
  Finished finished{child->code, std::move(child->out.text), std::move(child->err.text),
                    child->out.truncated || child->err.truncated};
  co_return finished;
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=', 1);
    if (equals == std::string_view::npos) continue;
    result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

}  // namespace brainstorm
