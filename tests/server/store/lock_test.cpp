#include "server/store/lock.h"

#include <doctest/doctest.h>
#include <signal.h>

#include "server/store/yaml.h"
#include "tests/server/store/store_support.h"

using namespace brainstorm;
using test::kId;
using test::World;

namespace {

std::string this_host() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

/// Another process that holds the session's lock until it is told to end or is killed.
class Holder {
 public:
  explicit Holder(const std::string& folder) {
    int up[2];
    REQUIRE(::pipe(up) == 0);
    REQUIRE(::pipe(down_) == 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(down_[1]);
      World world(folder);
      auto lock = world.store.lock(kId);
      char byte = lock ? 'y' : 'n';
      if (::write(up[1], &byte, 1) == 1 && ::read(down_[0], &byte, 1) >= 0) lock->reset();
      ::_exit(0);
    }
    char byte = 0;
    REQUIRE(::read(up[0], &byte, 1) == 1);
    REQUIRE(byte == 'y');
    ::close(up[0]);
    ::close(up[1]);
  }
  ~Holder() { end(SIGKILL); }
  void end(int signal) {
    if (pid_ < 0) return;
    if (signal != 0) ::kill(pid_, signal);
    ::close(down_[0]);
    ::close(down_[1]);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int down_[2];
};

}  // namespace

TEST_CASE("one process works on a session, the other learns who") {
  test::TempDir dir;
  World world(dir.path());
  REQUIRE(world.create());
  Holder holder(dir.path());
  auto refused = world.store.lock(kId);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::session_locked);
  CHECK(refused.error().data.at("pid") == std::to_string(holder.pid()));
  CHECK(refused.error().data.at("host") == this_host());
  CHECK(refused.error().data.at("since").size() == 20);
  SUBCASE("it ends well") {
    holder.end(0);
    CHECK(test::read_file(world.at(".session.lock")).empty());
  }
  SUBCASE("it is killed: what the file says then does not count") {
    holder.end(SIGKILL);
    CHECK_FALSE(test::read_file(world.at(".session.lock")).empty());
  }
  CHECK(world.store.lock(kId));
}

TEST_CASE("one store gives a lock out once") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  CHECK(test::outcome(world.store.lock(kId)) == "session_locked");
  lock->reset();
  CHECK(test::read_file(world.at(".session.lock")).empty());
  CHECK(test::outcome(world.store.lock(kId)) == "ok");
  CHECK(test::outcome(world.store.lock("swarm-none")) == "session_not_found");
}

TEST_CASE("a lock tells in YAML who holds it, and is renewed in place") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  const auto content = [&] {
    return *read_yaml(test::read_file(world.at(".session.lock")), "lock");
  };
  const Json first = content();
  CHECK(first["workflow_id"] == kId);
  CHECK(first["pid"] == ::getpid());
  CHECK(first["host"] == this_host());
  world.clock.offset = std::chrono::hours(1);
  (*lock)->heartbeat();
  CHECK(content()["locked_at"] > first["locked_at"]);
  CHECK((*lock)->still_ours());
}

TEST_CASE("a lock of another host is stale after thirty minutes") {
  struct Case {
    std::string content;
    const char* outcome;
  };
  const std::string fresh = "locked_at: \"2026-01-31T09:05:07Z\"\n";
  const Case cases[] = {
      {"host: \"elsewhere\"\npid: 12\n" + fresh, "session_locked"},
      {"host: \"elsewhere\"\nlocked_at: \"2026-01-31T09:05:07.123Z\"\n", "session_locked"},
      {"host: \"elsewhere\"\nlocked_at: \"2026-01-31T08:05:07Z\"\n", "ok"},
      {"host: \"" + this_host() + "\"\npid: 1\n" + fresh, "ok"},
      {kId + "\n2026-01-31T09:05:07Z\n", "ok"},
      {"", "ok"},
      {"garbage: [", "ok"},
      {std::string(100000, 'x'), "ok"},
      {std::string("\0\0\0", 3), "ok"},
  };
  for (const Case& item : cases) {
    CAPTURE(item.content.substr(0, 80));
    test::TempDir dir;
    World world(dir.path());
    REQUIRE(world.create());
    const WallTime now = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) +
                         std::chrono::hours(9) + std::chrono::minutes(20);
    world.clock.offset = now - std::chrono::floor<Millis>(std::chrono::system_clock::now());
    test::write_file(world.at(".session.lock"), item.content);
    CHECK(test::outcome(world.store.lock(kId)) == item.outcome);
  }
}

TEST_CASE("both forms of a lock file are understood") {
  const LockOwner yaml =
      parse_lock("workflow_id: \"x\"\npid: 12\nhost: \"h\\ni\"\nlocked_at: \"t\"\n");
  CHECK(yaml.pid == "12");
  CHECK(yaml.host == "h i");
  CHECK(yaml.since == "t");
  const LockOwner lines = parse_lock("swarm-session-1\n2026-01-31T09:05:07Z\n");
  CHECK(lines.since == "2026-01-31T09:05:07Z");
  CHECK(lines.host.empty());
  CHECK(parse_lock("4711\n2026-01-31T09:05:07Z").pid == "4711");
}

TEST_CASE("a lock file that was replaced is ours no more") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  test::write_file(world.at("other"), "");
  std::filesystem::rename(world.at("other"), world.at(".session.lock"));
  CHECK_FALSE((*lock)->still_ours());
  std::filesystem::remove(world.at(".session.lock"));
  CHECK_FALSE((*lock)->still_ours());
}
