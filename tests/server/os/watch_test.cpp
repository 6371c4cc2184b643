#include "server/os/watch.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "server/os/descriptor.h"
#include "tests/server/os/support.h"

using namespace brainstorm;

namespace {

Descriptor open_directory(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

TEST_CASE("changes in a directory are told, each to its watchers") {
  test::TempDir dir;
  std::filesystem::create_directory(dir / "a");
  std::filesystem::create_directory(dir / "b");
  asio::io_context io;
  DirectoryWatcher watcher(io.get_executor());
  int a = 0, twin = 0, b = 0;
  auto first = watcher.watch(open_directory(dir / "a").get(), [&] { ++a; });
  auto second = watcher.watch(open_directory(dir / "a").get(), [&] { ++twin; });
  auto other = watcher.watch(open_directory(dir / "b").get(), [&] { ++b; });
  REQUIRE(first);
  REQUIRE(second);
  REQUIRE(other);
  test::write_file(dir / "a/file", "x");
  CHECK(test::run_until(io, [&] { return a > 0 && twin > 0; }));
  CHECK(b == 0);
  first->reset();  // its twin goes on
  const int before = a;
  twin = 0;
  std::filesystem::rename(dir / "a/file", dir / "b/file");
  CHECK(test::run_until(io, [&] { return twin > 0 && b > 0; }));
  CHECK(a == before);
}

TEST_CASE("a callback may end its own watch; then the loop has nothing to wait for") {
  test::TempDir dir;
  asio::io_context io;
  DirectoryWatcher watcher(io.get_executor());
  std::unique_ptr<DirectoryWatcher::Handle> handle;
  bool called = false;
  auto watch = watcher.watch(open_directory(dir.path()).get(), [&] {
    called = true;
    handle.reset();
  });
  REQUIRE(watch);
  handle = std::move(*watch);
  test::write_file(dir / "x", "x");
  CHECK(test::run_until(io, [&] { return called; }));
  io.restart();
  io.run();  // returns
  auto again = watcher.watch(open_directory(dir.path()).get(), [] {});
  CHECK(again);
}

TEST_CASE("handles may outlive the watcher") {
  test::TempDir dir;
  asio::io_context io;
  auto watcher = std::make_unique<DirectoryWatcher>(io.get_executor());
  auto handle = watcher->watch(open_directory(dir.path()).get(), [] { CHECK(false); });
  REQUIRE(handle);
  watcher.reset();
  test::write_file(dir / "x", "x");
  io.restart();
  io.run();
  handle->reset();
}

TEST_CASE("what is no directory cannot be watched") {
  asio::io_context io;
  DirectoryWatcher watcher(io.get_executor());
  Descriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  CHECK_FALSE(watcher.watch(file.get(), [] {}));
  CHECK_FALSE(watcher.watch(-1, [] {}));
}
