#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/server/store/store_support.h"

using namespace brainstorm;
using test::kId;
using test::World;

TEST_CASE("messages are taken once, in their order, and answered once") {
  test::TempDir dir;
  World world(dir.path());
  REQUIRE(world.create());
  CHECK(world.store.inbox(kId).empty());
  REQUIRE(world.store.post(kId, "review-1", {{"choice", "accept"}}));
  REQUIRE(world.store.post(kId, "cancel", Json::object()));
  auto twice = world.store.post(kId, "review-1", {{"choice", "abort"}});
  REQUIRE_FALSE(twice);
  CHECK(twice.error().code == ErrorCode::already_decided);
  auto waiting = world.store.inbox(kId);
  REQUIRE(waiting.size() == 2);
  CHECK(waiting[0].first == "review-1");
  CHECK(*waiting[0].second == Json{{"choice", "accept"}});
  CHECK(waiting[1].first == "cancel");
  CHECK(world.store.outcome(kId, "review-1") == nullptr);
  REQUIRE(world.store.settle(kId, "review-1", {{"ok", true}}));
  CHECK(test::outcome(world.store.settle(kId, "review-1", {})) == "already_decided");
  REQUIRE(world.store.outcome(kId, "review-1"));
  CHECK(*world.store.outcome(kId, "review-1") == Json{{"ok", true}});
  waiting = world.store.inbox(kId);
  REQUIRE(waiting.size() == 1);
  CHECK(waiting[0].first == "cancel");
  CHECK(test::names_in(world.at("inbox")) ==
        std::vector<std::string>{"cancel.json", "review-1.json", "review-1.outcome.json"});
}

TEST_CASE("strange ids and files in an inbox do no harm") {
  test::TempDir dir;
  World world(dir.path());
  REQUIRE(world.create());
  for (const std::string id : {"", "a/b", "..", "a.outcome", "a\nb", " "}) {
    CAPTURE(id);
    CHECK(test::outcome(world.store.post(kId, id, Json())) == "invalid_argument");
    CHECK(world.store.outcome(kId, id) == nullptr);
  }
  CHECK(test::outcome(world.store.post(kId, "big", std::string(300000, 'x'))) == "too_large");
  test::write_file(world.at("inbox/broken.json"), "{\"half\": ");
  test::write_file(world.at("inbox/huge.json"), std::string(1 << 20, '['));
  test::write_file(world.at("inbox/.hidden.json"), "{}");
  test::write_file(world.at("inbox/notes.txt"), "{}");
  std::filesystem::create_directory(world.at("inbox/directory.json"));
  std::filesystem::create_symlink("/etc/passwd", world.at("inbox/link.json"));
  REQUIRE(::mkfifo(world.at("inbox/fifo.json").c_str(), 0600) == 0);
  auto waiting = world.store.inbox(kId);
  REQUIRE(waiting.size() == 2);
  for (const auto& [id, body] : waiting) {
    CAPTURE(id);
    REQUIRE(body);
    CHECK(body->is_null());
  }
}

TEST_CASE("of many processes that answer at once one wins") {
  test::TempDir dir;
  World world(dir.path());
  REQUIRE(world.create());
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::close(ends[1]);
      World own(dir.path());
      char byte = 0;
      (void)!::read(ends[0], &byte, 1);  // until all are there
      const bool won =
          own.store.post(kId, "review-1", {{"by", i}, {"pad", std::string(100000, 'x')}})
              .has_value();
      ::_exit(won ? 1 : 0);
    }
    children.push_back(pid);
  }
  ::close(ends[0]);
  ::close(ends[1]);
  int winners = 0;
  for (const pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    REQUIRE(WIFEXITED(status));
    winners += WEXITSTATUS(status);
  }
  CHECK(winners == 1);
  auto waiting = world.store.inbox(kId);
  REQUIRE(waiting.size() == 1);
  CHECK((*waiting[0].second)["pad"].get<std::string>().size() == 100000);
}

TEST_CASE("a watch sees messages of another process, which sees that somebody watches") {
  test::TempDir dir;
  World world(dir.path());
  REQUIRE(world.create());
  const auto watched_elsewhere = [&] {
    return test::in_child([&] {
      World other(dir.path());
      return std::string(other.store.watched(kId) ? "watched" : "alone");
    });
  };
  CHECK(watched_elsewhere() == "alone");
  bool seen = false;
  auto watch = world.store.watch(kId, [&] { seen = seen || !world.store.inbox(kId).empty(); });
  REQUIRE(watch);
  CHECK(watched_elsewhere() == "watched");
  CHECK(world.store.watched(kId));
  CHECK(test::in_child([&] {
          World other(dir.path());
          return test::outcome(other.store.post(kId, "review-1", {{"choice", "accept"}}));
        }) == "ok");
  CHECK(test::run_until(world.io, [&] { return seen; }));
  watch->reset();
  CHECK(watched_elsewhere() == "alone");
}
