#include "server/os/stdio.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>

#include <array>

#include "server/os/descriptor.h"
#include "tests/server/os/support.h"

using namespace brainstorm;

namespace {

/// Puts other files in the place of stdin and stdout while it lives.
class Swapped {
 public:
  Swapped(int in, int out) : in_(::dup(0)), out_(::dup(1)) {
    ::fflush(stdout);
    ::dup2(in, 0);
    ::dup2(out, 1);
  }
  ~Swapped() {
    ::dup2(in_.get(), 0);
    ::dup2(out_.get(), 1);
  }

 private:
  Descriptor in_, out_;
};

struct Pair {
  Descriptor ours, theirs;
};

Pair pipe_to_us() {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  return Pair{Descriptor(ends[0]), Descriptor(ends[1])};
}

Pair pipe_from_us() {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  return Pair{Descriptor(ends[1]), Descriptor(ends[0])};
}

Task<std::string> read_all(Stdio& stdio) {
  std::string all;
  while (true) {
    auto some = co_await stdio.read_some();
    if (!some || some->empty()) break;
    all += *some;
  }
  co_return all;
}

Task<bool> write_all(Stdio& stdio, std::string bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    auto count = stdio.try_write(rest);
    if (!count) co_return false;
    rest.remove_prefix(*count);
    if (rest.empty()) break;
    auto ready = co_await stdio.wait_writable();
    if (!ready) co_return false;
  }
  co_return true;
}

}  // namespace

TEST_CASE("stdin and stdout may be regular files, and every byte survives") {
  test::TempDir dir;
  std::string bytes("\r\n\0\x1a\xff binary", 13);
  for (int i = 0; i < 15; ++i) bytes += bytes;
  test::write_file(dir / "in", bytes);
  Descriptor in(::open((dir / "in").c_str(), O_RDONLY));
  Descriptor out(::open((dir / "out").c_str(), O_WRONLY | O_CREAT, 0600));
  {
    Swapped swapped(in.get(), out.get());
    asio::io_context io;
    auto stdio = Stdio::open(io.get_executor());
    REQUIRE(stdio);
    const std::string read = test::run(io, read_all(**stdio));
    CHECK(test::run(io, write_all(**stdio, read)));
  }
  CHECK(test::read_file(dir / "out") == bytes);
}

TEST_CASE("pipes: bytes as they come, the end, and what does not fit") {
  Pair in = pipe_to_us();
  Pair out = pipe_from_us();
  Swapped swapped(in.ours.get(), out.ours.get());
  asio::io_context io;
  auto stdio = Stdio::open(io.get_executor());
  REQUIRE(stdio);
  REQUIRE(::write(in.theirs.get(), "one", 3) == 3);
  CHECK(*test::run(io, (*stdio)->read_some()) == "one");
  REQUIRE(::write(in.theirs.get(), "two", 3) == 3);
  in.theirs.reset();
  CHECK(*test::run(io, (*stdio)->read_some()) == "two");
  CHECK(*test::run(io, (*stdio)->read_some()) == "");

  const std::string big(std::size_t{1} << 20, 'x');
  auto fitted = (*stdio)->try_write(big);
  REQUIRE(fitted);
  CHECK(*fitted > 0);
  CHECK(*fitted < big.size());
  auto none = (*stdio)->try_write("more");
  REQUIRE(none);
  CHECK(*none == 0);
  std::string buffer(big.size(), '\0');
  CHECK(::read(out.theirs.get(), buffer.data(), buffer.size()) > 0);
  CHECK(test::run(io, (*stdio)->wait_writable()));
  auto again = (*stdio)->try_write("more");
  REQUIRE(again);
  CHECK(*again == 4);
}

TEST_CASE("a reader that is gone is an error, not a signal") {
  Pair in = pipe_to_us();
  Pair out = pipe_from_us();
  Swapped swapped(in.ours.get(), out.ours.get());
  asio::io_context io;
  auto stdio = Stdio::open(io.get_executor());
  REQUIRE(stdio);
  out.theirs.reset();
  for (int i = 0; i < 2; ++i) {
    auto result = (*stdio)->try_write("x");
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::io_failed);
  }
  CHECK_FALSE(test::run(io, (*stdio)->wait_writable()));
}

TEST_CASE("a socket serves both ways") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  Swapped swapped(ours.get(), ours.get());
  asio::io_context io;
  auto stdio = Stdio::open(io.get_executor());
  REQUIRE(stdio);
  REQUIRE(::write(theirs.get(), "ping", 4) == 4);
  CHECK(*test::run(io, (*stdio)->read_some()) == "ping");
  CHECK(*(*stdio)->try_write("pong") == 4);
  std::array<char, 8> buffer{};
  CHECK(::read(theirs.get(), buffer.data(), buffer.size()) == 4);
}

TEST_CASE("a terminal works and keeps its flags") {
  Descriptor master(::posix_openpt(O_RDWR | O_NOCTTY));
  if (!master || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0) {
    MESSAGE("skipped: no pseudo-terminal here");
    return;
  }
  Descriptor terminal(::open(::ptsname(master.get()), O_RDWR | O_NOCTTY));
  REQUIRE(terminal);
  const int flags = ::fcntl(terminal.get(), F_GETFL);
  {
    Swapped swapped(terminal.get(), terminal.get());
    asio::io_context io;
    auto stdio = Stdio::open(io.get_executor());
    REQUIRE(stdio);
    REQUIRE(::write(master.get(), "line\n", 5) == 5);
    CHECK(*test::run(io, (*stdio)->read_some()) == "line\n");
    CHECK(*(*stdio)->try_write("out") == 3);
    CHECK((::fcntl(terminal.get(), F_GETFL) & O_NONBLOCK) != 0);
  }
  CHECK(::fcntl(terminal.get(), F_GETFL) == flags);
}

TEST_CASE("nobody else reaches the streams, and they come back") {
  Pair in = pipe_to_us();
  Pair out = pipe_from_us();
  Swapped swapped(in.ours.get(), out.ours.get());
  const int before = ::fcntl(1, F_GETFL);
  asio::io_context io;
  {
    auto stdio = Stdio::open(io.get_executor());
    REQUIRE(stdio);
    REQUIRE(::write(in.theirs.get(), "for us", 6) == 6);
    char byte = 0;
    CHECK(::read(0, &byte, 1) == 0);  // a stray reader sees the end
    std::array<char, 64> mine{};
    std::array<char, 64> errors{};
    CHECK(::readlink("/proc/self/fd/1", mine.data(), mine.size()) ==
          ::readlink("/proc/self/fd/2", errors.data(), errors.size()));
    CHECK(std::string(mine.data()) == errors.data());
    CHECK(*test::run(io, (*stdio)->read_some()) == "for us");
  }
  CHECK(::fcntl(1, F_GETFL) == before);
  REQUIRE(::write(1, "back", 4) == 4);
  std::array<char, 8> buffer{};
  CHECK(::read(out.theirs.get(), buffer.data(), buffer.size()) == 4);
}

TEST_CASE("a read can be cancelled, and the next one works") {
  Pair in = pipe_to_us();
  Pair out = pipe_from_us();
  Swapped swapped(in.ours.get(), out.ours.get());
  asio::io_context io;
  auto stdio = Stdio::open(io.get_executor());
  REQUIRE(stdio);
  std::optional<Background::End> how;
  Background reader(
      io.get_executor(),
      [](Stdio& from) -> Task<void> {
        auto some = co_await from.read_some();
        (void)some;
      }(**stdio),
      [&](Background::End end, const std::string&) { how = end; });
  io.poll();
  (*stdio)->cancel();
  CHECK(test::run_until(io, [&] { return how.has_value(); }));
  CHECK(how == Background::End::cancelled);
  REQUIRE(::write(in.theirs.get(), "x", 1) == 1);
  CHECK(*test::run(io, (*stdio)->read_some()) == "x");
}

TEST_CASE("a closed stdin is an error") {
  const std::string out = test::in_child([] {
    ::close(0);
    asio::io_context io;
    auto stdio = Stdio::open(io.get_executor());
    return stdio ? std::string("opened") : std::string(to_string(stdio.error().code));
  });
  CHECK(out == "io_failed");
}
