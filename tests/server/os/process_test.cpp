#include "server/os/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>

#include "server/os/clock.h"
#include "tests/server/os/support.h"

using namespace brainstorm;

namespace {

Command shell(const std::string& script, Millis timeout = std::chrono::seconds(20)) {
  Command command;
  command.argv = {"sh", "-c", script};
  command.timeout = timeout;
  return command;
}

Result<Finished> run_once(Command command) {
  asio::io_context io;
  SystemClock clock;
  return test::run(io, run_process(clock, std::move(command)));
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0; }

/// Whether a process ends within ten seconds; it may need a moment to die.
bool is_gone(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    if (::kill(pid, 0) != 0) return true;
    // Nobody reaps it where the first process of a container does not: a zombie has ended too.
    const std::string status = test::read_file("/proc/" + std::to_string(pid) + "/status");
    if (status.find("State:\tZ") != std::string::npos) return true;
    ::usleep(10000);
  }
  return false;
}

}  // namespace

TEST_CASE("children end with their code and output") {
  struct Case {
    const char* script;
    int code;
    const char* out;
    const char* err;
  };
  const Case cases[] = {
      {"echo hi", 0, "hi\n", ""},
      {"echo oops >&2; exit 7", 7, "", "oops\n"},
      {"kill -9 $$", 128 + SIGKILL, "", ""},
      {"cat; echo end", 0, "end\n", ""},  // stdin is empty
      {"true", 0, "", ""},
      {"trap", 0, "", ""},
  };
  for (const Case& item : cases) {
    CAPTURE(item.script);
    auto finished = run_once(shell(item.script));
    REQUIRE(finished);
    CHECK(finished->code == item.code);
    CHECK(finished->out == item.out);
    CHECK(finished->err == item.err);
    CHECK_FALSE(finished->truncated);
    CHECK_FALSE(has_children());
  }
}

TEST_CASE("output is bounded and the child still ends") {
  Command command = shell("head -c 10000000 /dev/zero");
  command.max_output = 1000;
  auto finished = run_once(std::move(command));
  REQUIRE(finished);
  CHECK(finished->code == 0);
  CHECK(finished->out.size() == 1000);
  CHECK(finished->truncated);
}

TEST_CASE("environment and directory are the given ones") {
  test::TempDir dir;
  Command command = shell("pwd; echo \"$ONLY-$HOME\"");
  command.cwd = dir.path();
  command.env = std::map<std::string, std::string>{{"ONLY", "this"}};
  auto finished = run_once(std::move(command));
  REQUIRE(finished);
  CHECK(finished->out == dir.path() + "\nthis-\n");
  const auto ours = environment();
  CHECK(ours.count("PATH") == 1);
}

TEST_CASE("children get no descriptor of ours") {
  const int leak = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  REQUIRE(leak >= 3);
  auto finished = run_once(shell("ls /proc/$$/fd"));
  ::close(leak);
  REQUIRE(finished);
  CHECK(finished->out.find("\n" + std::to_string(leak) + "\n") == std::string::npos);
}

TEST_CASE("what cannot start is said") {
  Command missing;
  missing.argv = {"no-such-program-anywhere"};
  auto result = run_once(missing);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::not_found);
  CHECK(result.error().message.find("no-such-program-anywhere") != std::string::npos);

  Command nowhere = shell("true");
  nowhere.cwd = "/no/such/directory";
  result = run_once(nowhere);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::not_found);
  CHECK(result.error().message.find("/no/such/directory") != std::string::npos);

  CHECK_FALSE(run_once(Command{}));
}

TEST_CASE("a child that hangs is ended in time, also one that ignores TERM") {
  SystemClock clock;
  for (const char* script : {"sleep 60", "trap '' TERM; sleep 60 & wait; sleep 60"}) {
    CAPTURE(script);
    const Millis before = clock.monotonic();
    auto result = run_once(shell(script, Millis(150)));
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::deadline);
    CHECK(clock.monotonic() - before < Millis(8000));
    CHECK_FALSE(has_children());
  }
}

TEST_CASE("grandchildren do not keep the pipe, nor survive") {
  SystemClock clock;
  const Millis before = clock.monotonic();
  auto finished = run_once(shell("sleep 61 & echo $!"));
  REQUIRE(finished);
  CHECK(finished->code == 0);
  CHECK(clock.monotonic() - before < Millis(8000));
  CHECK(is_gone(static_cast<pid_t>(std::stol(finished->out))));
}

TEST_CASE("cancelling ends the child before the caller goes on") {
  asio::io_context io;
  SystemClock clock;
  std::optional<Background::End> how;
  struct Caller {
    static Task<void> run(Clock& with, Command command) {
      auto finished = co_await run_process(with, std::move(command));
      CHECK_FALSE(finished);
    }
  };
  Background work(io.get_executor(), Caller::run(clock, shell("sleep 60")),
                  [&](Background::End end, const std::string&) { how = end; });
  io.restart();
  io.poll();
  CHECK(has_children());
  work.cancel();
  CHECK(test::run_until(io, [&] { return how.has_value(); }));
  CHECK(how == Background::End::cancelled);
  CHECK_FALSE(has_children());
}

TEST_CASE("a loop that is thrown away leaves no process behind") {
  {
    asio::io_context io;
    SystemClock clock;
    Background work(
        io.get_executor(),
        [](Clock& with) -> Task<void> {
          Command command = shell("sleep 62");
          auto finished = co_await run_process(with, std::move(command));
          (void)finished;
        }(clock),
        nullptr);
    io.poll();
    CHECK(has_children());
  }
  CHECK_FALSE(has_children());
}

TEST_CASE("twenty children at once") {
  asio::io_context io;
  SystemClock clock;
  std::vector<Task<Result<Finished>>> tasks;
  for (int i = 0; i < 20; ++i) {
    tasks.push_back(run_process(clock, shell("echo " + std::to_string(i))));
  }
  auto all = test::run(io, gather(std::move(tasks)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    REQUIRE(all[i]);
    REQUIRE(*all[i]);
    CHECK((*all[i])->out == std::to_string(i) + "\n");
  }
  CHECK_FALSE(has_children());
}
