#include "server/cli/views.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "commands/session/timestamp.h"
#include "server/app.h"
#include "server/cli/context_files.h"
#include "server/cli/exit_codes.h"
#include "server/cli/trust.h"
#include "tests/server/settings/support.h"

using namespace brainstorm;
using namespace brainstorm::cli;
namespace fs = std::filesystem;

TEST_CASE("short ids are unique and begin the id they stand for") {
  const std::vector<std::string> ids{
      "swarm-session-20260131-090507-1a2b3c4d", "swarm-session-20260131-090507-1affffff",
      "swarm-session-20260131-100000-00000000", "swarm-session-20260201-000000-12345678",
      "tournament-20260131-090507-1a2b3c4d",    "odd"};
  CHECK(short_ids(ids) == std::vector<std::string>{"swarm-20260131-090507-1a2",
                                                   "swarm-20260131-090507-1af", "swarm-20260131-1",
                                                   "swarm-20260201", "tournament-20260131", "odd"});
  CHECK(short_ids({}).empty());
}

TEST_CASE("ages") {
  const auto now = *parse_iso8601("2026-01-31T12:00:00Z");
  CHECK(age("2026-01-31T11:59:30Z", now) == "30 s");
  CHECK(age("2026-01-31T11:00:01Z", now) == "59 min");
  CHECK(age("2026-01-31T02:00:00Z", now) == "10 h");
  CHECK(age("2026-01-21T12:00:00Z", now) == "10 d");
  CHECK(age("2026-02-21T12:00:00Z", now) == "0 s");
  CHECK(age("soon", now) == "–");
}

TEST_CASE("exit codes") {
  Decision review, quorum, offer;
  review.kind = "review";
  quorum.kind = "quorum";
  offer.kind = "straggler";
  offer.blocking = false;
  CHECK(exit_code("COMPLETED", {}) == 0);
  CHECK(exit_code("AWAITING_USER", {review}) == 0);
  CHECK(exit_code("DIVERGING", {quorum}) == 3);
  CHECK(exit_code("DIVERGING", {offer}) == 0);
  CHECK(exit_code("FAILED", {}) == 1);
  CHECK(exit_code("ABORTED", {}) == 4);
  const auto of = [](ErrorCode code) { return exit_code(Error{code, {}, {}, {}}); };
  CHECK(of(ErrorCode::prompt_too_short) == 2);
  CHECK(of(ErrorCode::prompt_prohibited) == 2);
  CHECK(of(ErrorCode::settings_invalid) == 2);
  CHECK(of(ErrorCode::session_not_found) == 2);
  CHECK(of(ErrorCode::read_only) == 1);
  CHECK(of(ErrorCode::session_broken) == 1);
}

TEST_CASE("the workspace is the nearest .workflow, else the git root, else the directory") {
  const test::Directory directory;
  const auto root = fs::canonical(directory.path()).string();
  fs::create_directories(root + "/repo/.git");
  fs::create_directories(root + "/repo/src/deep");
  fs::create_directories(root + "/plain/deep");
  CHECK(find_workspace(root + "/repo/src/deep") == root + "/repo");
  CHECK(find_workspace(root + "/plain/deep") == root + "/plain/deep");
  fs::create_directories(root + "/repo/src/.workflow");
  CHECK(find_workspace(root + "/repo/src/deep") == root + "/repo/src");
  CHECK(find_workspace(root + "/repo/src") == root + "/repo/src");
  CHECK(find_workspace(root + "/repo") == root + "/repo");
  fs::create_directories(root + "/.workflow");
  CHECK(find_workspace(root + "/repo") == root);
  directory.write("module/.git", "gitdir: elsewhere\n");
  fs::remove_all(root + "/.workflow");
  fs::create_directories(root + "/module/sub");
  CHECK(find_workspace(root + "/module/sub") == root + "/module");
  fs::create_directory_symlink("/tmp", root + "/module/sub/.workflow");
  CHECK(find_workspace(root + "/module/sub") == root + "/module");
}

TEST_CASE("trust is remembered once, privately") {
  const test::Directory directory;
  const auto config = directory.path() + "/new/config";
  CHECK(trusted_folders(config).empty());
  REQUIRE(remember_trust(config, "/a/b"));
  REQUIRE(remember_trust(config, "/c d"));
  REQUIRE(remember_trust(config, "/a/b"));
  CHECK(trusted_folders(config) == std::vector<std::string>{"/a/b", "/c d"});
  struct stat facts {};
  REQUIRE(::stat((config + "/trusted-folders").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  CHECK(!remember_trust(config, "/a\n/etc"));
  CHECK(!remember_trust("", "/a"));
  CHECK(trusted_folders(config).size() == 2);
}

TEST_CASE("context files") {
  const test::Directory directory;
  const auto good = directory.write("a.txt", "some text\n");
  const auto items = read_context({good});
  REQUIRE(items);
  REQUIRE(items->size() == 1);
  CHECK(items->front().text == "some text\n");
  CHECK(items->front().label == good);
  for (const auto& bad :
       {directory.path(), directory.path() + "/absent",
        directory.write("nul", std::string(3, '\0')), directory.write("latin", "\xe4"),
        directory.write("big", std::string(2000000, 'x'))}) {
    const auto refused = read_context({good, bad});
    REQUIRE(!refused);
    CHECK(refused.error().code == ErrorCode::invalid_argument);
    CHECK(test::has(refused.error().message, bad));
  }
}
