// Full disks and forbidden places, for real: in children that mount something or give up their
// rights.

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "tests/server/store/store_support.h"

using namespace brainstorm;
using test::kId;
using test::World;

namespace {

/// Runs `body` in a child with mounts of its own; empty, with the reason printed, where that is not
/// allowed.
std::string with_own_mounts(const std::function<std::string()>& body) {
  const std::string text = test::in_child([&]() -> std::string {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      return "not permitted";
    }
    return body();
  });
  if (text != "not permitted") return text;
  MESSAGE("skipped: this process may not mount anything");
  return {};
}

}  // namespace

TEST_CASE("a full disk is said, loses nothing and is survived") {
  test::TempDir dir;
  const std::string result = with_own_mounts([&]() -> std::string {
    if (::mount("tmpfs", dir.path().c_str(), "tmpfs", 0, "size=512k,mode=0700") != 0) {
      return "not permitted";
    }
    World world(dir.path());
    auto lock = world.create();
    if (!lock) return "no session: " + lock.error().message;
    const std::string body(40000, 'x');
    (void)world.put("perspectives/first.md", body);
    std::string said = "none";
    for (int i = 0; i < 40 && said == "none"; ++i) {
      auto put = world.put("perspectives/" + std::to_string(i) + ".md", body);
      if (!put) said = test::outcome(put) + (put.error().hint.empty() ? "" : "+hint");
    }
    // Fill the rest, so that not even the state fits.
    std::ofstream filler(dir / "filler");
    for (int i = 0; i < 1000; ++i) filler << body << std::flush;
    Json state = World::state(kId, "CONVERGING");
    state["more"] = std::string(20000, 'y');
    const std::string written = test::outcome(world.write_state(state));
    const std::string logged =
        test::outcome(world.store.append_log(kId, {{"pad", std::string(20000, 'z')}}));
    const std::string posted =
        test::outcome(world.store.post(kId, "review-1", {{"pad", std::string(20000, 'z')}}));
    filler.close();
    bool clean = world.store.inbox(kId).empty();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir / ".workflow")) {
      clean = clean && entry.path().extension() != ".tmp";
    }
    const auto first = world.store.read(kId, "perspectives/first.md");
    const auto kept = world.store.read_state(kId);
    std::filesystem::remove(dir / "filler");
    const std::string again = test::outcome(world.write_state(state));
    return said + " " + written + " " + logged + " " + posted + (clean ? " clean" : " dirty") +
           (first && first->body == body ? " kept" : " lost") +
           (kept && !kept->from_backup ? " state" : " broken") + " " + again;
  });
  if (!result.empty()) {
    CHECK(result == "disk_full+hint disk_full disk_full disk_full clean kept state ok");
  }
}

TEST_CASE("a new session on a full disk leaves nothing behind") {
  test::TempDir dir;
  const std::string result = with_own_mounts([&]() -> std::string {
    if (::mount("tmpfs", dir.path().c_str(), "tmpfs", 0, "size=64k,mode=0700") != 0) {
      return "not permitted";
    }
    World world(dir.path());
    Json state = World::state(kId);
    state["more"] = std::string(200000, 'y');
    const std::string said = test::outcome(world.create(kId, state));
    std::string names;
    for (const std::string& name : test::names_in(dir / ".workflow")) names += " " + name;
    return said + names;
  });
  if (!result.empty()) CHECK(result == "disk_full .gitignore");
}

TEST_CASE("a read-only file system can be read and is said to be read-only") {
  test::TempDir dir;
  {
    World world(dir.path());
    REQUIRE(world.create());
    REQUIRE(world.put("a.md", "x"));
  }
  const std::string result = with_own_mounts([&]() -> std::string {
    const char* path = dir.path().c_str();
    if (::mount(path, path, nullptr, MS_BIND, nullptr) != 0 ||
        ::mount(nullptr, path, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0) {
      return "not permitted";
    }
    World world(dir.path());
    return test::outcome(world.store.read_state(kId)) + " " +
           std::to_string(world.store.list(10)->sessions.size()) + " " +
           test::outcome(world.store.lock(kId)) + " " + test::outcome(world.put("b.md", "x")) +
           " " + test::outcome(world.write_state(World::state(kId))) + " " +
           test::outcome(world.create("swarm-session-20260131-090508-00000000")) + " " +
           test::outcome(world.store.append_log(kId, {})) + " " +
           test::outcome(world.store.post(kId, "x", {})) + " " +
           test::outcome(world.store.archive(kId)) + " " +
           test::outcome(world.store.read(kId, "a.md"));
  });
  if (!result.empty()) {
    CHECK(result ==
          "ok 1 read_only read_only read_only read_only read_only read_only read_only ok");
  }
}

TEST_CASE("a folder that belongs to somebody else is read-only") {
  test::TempDir dir;
  std::filesystem::create_directory(dir / "folder");
  const bool root = ::geteuid() == 0;
  REQUIRE(::chmod(dir.path().c_str(), 0755) == 0);
  REQUIRE(::chmod((dir / "folder").c_str(), 0555) == 0);
  const std::string result = test::in_child([&]() -> std::string {
    if (root && (::setgid(65534) != 0 || ::setuid(65534) != 0))
      return "read_only path";  // no second user
    World world(dir / "folder");
    auto created = world.create();
    if (created) return "created";
    return test::outcome(created) +
           (created.error().message.find(dir / "folder/.workflow") != std::string::npos ? " path"
                                                                                        : "");
  });
  CHECK(result == "read_only path");
  REQUIRE(::chmod((dir / "folder").c_str(), 0755) == 0);
}
