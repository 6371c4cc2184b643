// A session's files: creating, writing, reading, listing, archiving.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>

#include "server/store/yaml.h"
#include "tests/server/store/store_support.h"

using namespace brainstorm;
using test::kId;
using test::World;

namespace {

unsigned mode_of(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0;
}

}  // namespace

TEST_CASE("a new session is there at once, private, locked, with its state") {
  test::TempDir dir;
  World world(dir.path());
  CHECK(test::outcome(world.store.list(10)) == "ok");
  CHECK_FALSE(std::filesystem::exists(dir / ".workflow"));  // reading changes nothing
  auto lock = world.create();
  REQUIRE(lock);
  CHECK((*lock)->still_ours());
  CHECK(world.store.exists(kId));
  CHECK(test::names_in(dir / ".workflow") == std::vector<std::string>{".gitignore", kId});
  CHECK(test::names_in(world.at("")) ==
        std::vector<std::string>{".session.lock", "workflow-state.yaml"});
  CHECK(mode_of(dir / ".workflow") == 0700);
  CHECK(mode_of(world.at("")) == 0700);
  CHECK(mode_of(world.at("workflow-state.yaml")) == 0600);
  CHECK(mode_of(world.at(".session.lock")) == 0600);
  CHECK(world.store.path(kId, "a/b.md") == dir / (".workflow/" + kId + "/a/b.md"));
  auto state = world.store.read_state(kId);
  REQUIRE(state);
  CHECK_FALSE(state->from_backup);
  CHECK(*state->json == World::state(kId));
  CHECK(test::outcome(world.create()) == "invalid_argument");  // taken
}

TEST_CASE("the ignore file keeps sessions out and settings in, and is never rewritten") {
  test::TempDir dir;
  World world(dir.path());
  REQUIRE(world.create());
  const std::string ignore = test::read_file(dir / ".workflow/.gitignore");
  for (const char* line :
       {"\n*\n", "\n!.gitignore\n", "\n!config.yaml\n", "\n!roles/\n", "\n!roles/*\n"}) {
    CHECK(ignore.find(line) != std::string::npos);
  }
  test::write_file(dir / ".workflow/.gitignore", "mine\n");
  REQUIRE(world.create("swarm-session-20260131-090508-00000000"));
  CHECK(test::read_file(dir / ".workflow/.gitignore") == "mine\n");
}

TEST_CASE("documents come back as they were put, by their ending") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  const Json front = {{"archetype", "critic"}, {"confidence", 3}};
  REQUIRE(world.put("perspectives/critic.md", "# Critic\n", Durability::synced, front));
  REQUIRE(world.put("stage-1-framing.yaml", "", Durability::lazy, front));
  REQUIRE(world.put("evidence/1.json", "", Durability::lazy, front));
  REQUIRE(world.put("board.md", "no head\n", Durability::lazy, nullptr));
  REQUIRE(world.store.append_log(kId, {{"event", "one\nline"}}));
  REQUIRE(world.store.append_log(kId, {{"event", 2}}));
  auto critic = world.store.read(kId, "perspectives/critic.md");
  REQUIRE(critic);
  CHECK(*critic->front == front);
  CHECK(critic->body == "# Critic\n");
  CHECK(*world.store.read(kId, "stage-1-framing.yaml")->front == front);
  CHECK(*world.store.read(kId, "evidence/1.json")->front == front);
  CHECK(world.store.read(kId, "board.md")->front->is_null());
  CHECK(world.store.read(kId, "board.md")->body == "no head\n");
  CHECK(world.store.read(kId, "log.jsonl")->body == "{\"event\":\"one\\nline\"}\n{\"event\":2}\n");
  CHECK(world.store.files(kId) == std::vector<std::string>{"board.md", "evidence/1.json",
                                                           "log.jsonl", "perspectives/critic.md",
                                                           "stage-1-framing.yaml",
                                                           "workflow-state.yaml"});
  CHECK(world.store.has(kId, "board.md"));
  CHECK_FALSE(world.store.has(kId, "perspectives"));
  CHECK_FALSE(world.store.has(kId, "nothing.md"));
  CHECK(mode_of(world.at("perspectives")) == 0700);
  CHECK(mode_of(world.at("perspectives/critic.md")) == 0600);
  CHECK(test::outcome(world.store.read(kId, "nothing.md")) == "not_found");
  CHECK(test::outcome(world.store.read("swarm-none", "x.md")) == "session_not_found");
}

TEST_CASE("names do not leave their session") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  const std::string names[] = {"",
                               ".",
                               "..",
                               "../x",
                               "a/../../x",
                               "/etc/x",
                               "a//b",
                               "a/",
                               "/",
                               std::string("a\0b", 3),
                               "a\nb",
                               "a\x1b[0m",
                               "a\xff",
                               std::string(300, 'x'),
                               "1/2/3/4/5/6/7/8/9"};
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(test::outcome(world.put(name, "x")) == "outside_workspace");
    CHECK(test::outcome(world.store.read(kId, name)) == "outside_workspace");
    CHECK_FALSE(world.store.has(kId, name));
  }
  for (const std::string id : {"", "..", ".", "../x", "a/b", "archive", ".tmp-x", "x\ny"}) {
    CAPTURE(id);
    CHECK(test::outcome(world.store.read_state(id)) == "session_not_found");
    CHECK(test::outcome(world.create(id)) == "invalid_argument");
    CHECK_FALSE(world.store.exists(id));
  }
  CHECK(test::names_in(dir.path()) == std::vector<std::string>{".workflow"});
}

TEST_CASE("the previous state stays as a copy and serves when the main file is broken") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  Json second = World::state(kId, "CONVERGING");
  REQUIRE(world.write_state(second));
  CHECK(test::read_file(world.at("workflow-state.yaml.bak")).find("DIVERGING") !=
        std::string::npos);
  const std::string broken[] = {"",      "a: *x\n",  "workflow_id: \"cut of",
                                "[1]\n", "key: 1\n", std::string(3 << 20, 'x')};
  for (const std::string& bytes : broken) {
    CAPTURE(bytes.substr(0, 20));
    test::write_file(world.at("workflow-state.yaml"), bytes);
    auto state = world.store.read_state(kId);
    REQUIRE(state);
    CHECK(state->from_backup);
    CHECK(json::text_or(*state->json, "current_state") == "DIVERGING");
  }
  // Written again, the broken file must not replace the copy.
  test::write_file(world.at("workflow-state.yaml"), "broken: [");
  REQUIRE(world.write_state(World::state(kId, "FRAMING")));
  CHECK(test::read_file(world.at("workflow-state.yaml.bak")).find("DIVERGING") !=
        std::string::npos);
  CHECK_FALSE(world.store.read_state(kId)->from_backup);

  std::filesystem::remove(world.at("workflow-state.yaml"));
  CHECK(world.store.read_state(kId)->from_backup);
  test::write_file(world.at("workflow-state.yaml.bak"), "x: [");
  auto both = world.store.read_state(kId);
  REQUIRE_FALSE(both);
  CHECK(both.error().code == ErrorCode::session_broken);
  CHECK(both.error().data.at("session") == kId);
}

TEST_CASE(
    "a state written again and again leaves two files, also after a kill between the renames") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  for (int i = 0; i < 5; ++i) {
    REQUIRE(
        world.write_state(World::state(kId), i % 2 == 0 ? Durability::synced : Durability::lazy));
    std::filesystem::remove(world.at("workflow-state.yaml.bak"));
    std::filesystem::create_hard_link(world.at("workflow-state.yaml"),
                                      world.at("workflow-state.yaml.bak"));
  }
  CHECK(test::names_in(world.at("")) == std::vector<std::string>{".session.lock",
                                                                 "workflow-state.yaml",
                                                                 "workflow-state.yaml.bak"});
}

TEST_CASE("a newer schema is recognised, listed and not worked on") {
  test::TempDir dir;
  World world(dir.path());
  Json newer = World::state(kId);
  newer["schema"] = 2;
  REQUIRE(world.create(kId, newer));
  CHECK(test::outcome(world.store.read_state(kId)) == "session_newer");
  auto list = world.store.list(10);
  REQUIRE(list);
  CHECK(list->sessions.size() == 1);
}

TEST_CASE("writes to one name take effect in their order, whatever the disk does") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  std::vector<Task<Result<void>>> writes;
  std::vector<Json> fronts;
  for (int i = 0; i < 20; ++i) fronts.push_back({{"number", i}});
  for (int i = 0; i < 20; ++i) {
    const DocumentView view{fronts[static_cast<std::size_t>(i)], {}, {}};
    writes.push_back(
        world.store.put(kId, "x.yaml", view, i % 3 == 0 ? Durability::synced : Durability::lazy));
  }
  auto results = test::run(world.io, gather(std::move(writes)));
  for (const auto& result : results) CHECK((result && *result));
  CHECK(*world.store.read(kId, "x.yaml")->front == Json{{"number", 19}});
  CHECK(world.store.files(kId) == std::vector<std::string>{"workflow-state.yaml", "x.yaml"});
}

TEST_CASE("a write that was begun ends although its caller is cancelled") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  std::optional<Background::End> how;
  struct Writer {
    static Task<void> run(World& with, bool& returned) {
      const Json front = {{"k", 1}};
      const DocumentView view{front, "whole", {}};
      auto result = co_await with.store.put(kId, "x.md", view, Durability::synced);
      returned = result.has_value();
      co_await yield_turn();  // the next wait throws
      CHECK(false);
    }
  };
  bool returned = false;
  Background work(world.io.get_executor(), Writer::run(world, returned),
                  [&](Background::End end, const std::string&) { how = end; });
  world.io.restart();
  world.io.run_one();
  work.cancel();
  CHECK(test::run_until(world.io, [&] { return how.has_value(); }));
  CHECK(returned);
  CHECK(how == Background::End::cancelled);
  CHECK(world.store.read(kId, "x.md")->body == "whole");
  CHECK(test::names_in(world.at("")) ==
        std::vector<std::string>{".session.lock", "workflow-state.yaml", "x.md"});
}

TEST_CASE("leftovers of a killed process are ignored, then removed") {
  test::TempDir dir;
  World world(dir.path());
  REQUIRE(world.create());  // the lock is given up at once
  test::write_file(world.at("workflow-state.yaml.0123abcd.tmp"), "half");
  test::write_file(world.at("perspectives/critic.md.0123abcd.tmp"), "half");
  test::write_file(world.at("inbox/x.json.0123abcd.tmp"), "half");
  test::write_file(world.at("mine.tmp"), "a person's");
  test::write_file(dir / ".workflow/.tmp-swarm-session-20250101-000000-ffffffff/.session.lock", "");
  CHECK(world.store.files(kId) == std::vector<std::string>{"mine.tmp", "workflow-state.yaml"});
  CHECK(world.store.inbox(kId).empty());
  CHECK(world.store.list(10)->sessions.size() == 1);
  CHECK(world.store.list(10)->unreadable == 0);
  auto lock = world.store.lock(kId);
  REQUIRE(lock);
  CHECK_FALSE(std::filesystem::exists(world.at("workflow-state.yaml.0123abcd.tmp")));
  CHECK_FALSE(std::filesystem::exists(world.at("perspectives/critic.md.0123abcd.tmp")));
  CHECK(std::filesystem::exists(world.at("inbox/x.json.0123abcd.tmp")));  // may be in the making
  CHECK(std::filesystem::exists(world.at("mine.tmp")));
  const std::string unfinished = dir / ".workflow/.tmp-swarm-session-20250101-000000-ffffffff";
  REQUIRE(world.create("swarm-session-20260131-090508-00000000"));
  CHECK(std::filesystem::exists(unfinished));
  world.clock.offset = std::chrono::hours(1);
  REQUIRE(world.create("swarm-session-20260131-090509-00000000"));
  CHECK_FALSE(std::filesystem::exists(unfinished));
  lock->reset();
  REQUIRE(world.store.lock(kId));
  CHECK_FALSE(std::filesystem::exists(world.at("inbox/x.json.0123abcd.tmp")));
}

TEST_CASE("links, FIFOs and directories in the place of files are not followed, nor waited for") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  test::write_file(dir / "outside/secret.md", "secret");
  REQUIRE(world.put("perspectives/a.md", "x"));
  const std::string target = world.at("x.md");
  const auto put_something = [&](const std::string& kind) {
    std::filesystem::remove_all(target);
    if (kind == "link") std::filesystem::create_symlink(dir / "outside/secret.md", target);
    if (kind == "dangling") std::filesystem::create_symlink(dir / "outside/new.md", target);
    if (kind == "fifo") REQUIRE(::mkfifo(target.c_str(), 0600) == 0);
    if (kind == "directory") std::filesystem::create_directory(target);
  };
  for (const std::string kind : {"link", "dangling", "fifo", "directory"}) {
    CAPTURE(kind);
    put_something(kind);
    auto read = world.store.read(kId, "x.md");
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::outside_workspace);
    CHECK(read.error().data.at("path") == target);
    CHECK_FALSE(world.store.has(kId, "x.md"));
    CHECK(world.put("x.md", "new").has_value() == (kind != "directory"));
    std::filesystem::remove_all(target);
  }
  // The same in the place of directories, of the log, of the lock, of the inbox.
  std::filesystem::remove_all(world.at("perspectives"));
  std::filesystem::create_symlink(dir / "outside", world.at("perspectives"));
  CHECK(test::outcome(world.put("perspectives/a.md", "x")) == "outside_workspace");
  CHECK(test::outcome(world.store.read(kId, "perspectives/secret.md")) == "outside_workspace");
  CHECK(world.store.files(kId) == std::vector<std::string>{"workflow-state.yaml"});
  std::filesystem::create_symlink(dir / "outside/log", world.at("log.jsonl"));
  CHECK(test::outcome(world.store.append_log(kId, {{"a", 1}})) == "outside_workspace");
  std::filesystem::create_symlink(dir / "outside", world.at("inbox"));
  CHECK(test::outcome(world.store.post(kId, "x", Json())) == "outside_workspace");
  CHECK(test::outcome(world.store.watch(kId, [] {})) == "outside_workspace");
  lock->reset();
  std::filesystem::remove(world.at(".session.lock"));
  std::filesystem::create_symlink(dir / "outside/lock", world.at(".session.lock"));
  CHECK(test::outcome(world.store.lock(kId)) == "outside_workspace");
  CHECK(test::names_in(dir / "outside") == std::vector<std::string>{"secret.md"});
  CHECK(test::read_file(dir / "outside/secret.md") == "secret");
}

TEST_CASE("a linked .workflow or session is refused") {
  test::TempDir dir;
  std::filesystem::create_directories(dir / "elsewhere/" + kId);
  std::filesystem::create_directories(dir / "folder");
  test::write_file(dir / "elsewhere/" + kId + "/workflow-state.yaml",
                   write_yaml(World::state(kId)));
  std::filesystem::create_symlink(dir / "elsewhere", dir / "folder/.workflow");
  World world(dir / "folder");
  CHECK(test::outcome(world.create("swarm-session-20260131-090508-00000000")) ==
        "outside_workspace");
  CHECK(test::outcome(world.store.list(10)) == "outside_workspace");
  std::filesystem::remove(dir / "folder/.workflow");
  std::filesystem::create_directory(dir / "folder/.workflow");
  std::filesystem::create_symlink(dir / "elsewhere/" + kId, dir / "folder/.workflow/" + kId);
  CHECK(test::outcome(world.store.read_state(kId)) == "outside_workspace");
  CHECK_FALSE(world.store.exists(kId));
  CHECK(world.store.list(10)->sessions.empty());
  CHECK(test::names_in(dir / "elsewhere") == std::vector<std::string>{kId});
}

TEST_CASE("a directory deleted under us is an error with words, nothing is made anew") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  std::filesystem::remove_all(world.at(""));
  CHECK_FALSE((*lock)->still_ours());
  (*lock)->heartbeat();
  CHECK(test::outcome(world.write_state(World::state(kId))) == "session_not_found");
  CHECK(test::outcome(world.put("a/b.md", "x")) == "session_not_found");
  CHECK(test::outcome(world.store.append_log(kId, {})) == "session_not_found");
  CHECK(test::outcome(world.store.post(kId, "x", {})) == "session_not_found");
  CHECK(test::outcome(world.store.archive(kId)) == "session_not_found");
  std::filesystem::remove_all(dir / ".workflow");
  CHECK(test::outcome(world.put("a/b.md", "x")) == "session_not_found");
  CHECK_FALSE(std::filesystem::exists(dir / ".workflow"));
  World nowhere(dir / "no/folder");
  CHECK(test::outcome(nowhere.create()) == "folder_missing");
  CHECK(test::outcome(nowhere.store.list(1)) == "folder_missing");
}

TEST_CASE("what could not be read again is not written") {
  test::TempDir dir;
  World world(dir.path());
  auto lock = world.create();
  REQUIRE(lock);
  const Json huge = {{"x", std::string(2 << 20, 'x')}};
  CHECK(test::outcome(world.put("a.yaml", "", Durability::lazy, huge)) == "too_large");
  CHECK(test::outcome(world.put("a.md", "", Durability::lazy, huge)) == "too_large");
  CHECK(test::outcome(world.write_state(huge)) == "too_large");
  REQUIRE(world.put("a.md", std::string(10 << 20, 'x')));
  CHECK(world.store.read(kId, "a.md")->body.size() == std::size_t{10} << 20);
}

TEST_CASE("archiving moves, never replaces") {
  test::TempDir dir;
  World world(dir.path());
  for (const std::string& expected : {kId, kId + "-2", kId + "-3"}) {
    auto lock = world.create();
    REQUIRE(lock);
    REQUIRE(world.store.archive(kId));  // while held by ourselves
    CHECK_FALSE((*lock)->still_ours());
    CHECK(std::filesystem::exists(dir / ".workflow/archive/" + expected + "/workflow-state.yaml"));
  }
  CHECK_FALSE(world.store.exists(kId));
  CHECK(world.store.list(10)->sessions.empty());
  REQUIRE(world.create());
  World other(dir.path());
  auto held = other.store.lock(kId);
  REQUIRE(held);
  CHECK(test::outcome(world.store.archive(kId)) == "session_locked");
}
