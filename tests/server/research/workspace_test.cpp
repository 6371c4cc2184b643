#include "server/research/workspace.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>

#include "server/os/clock.h"
#include "server/os/process.h"
#include "server/research/borders.h"
#include "tests/server/os/support.h"

using namespace brainstorm;

namespace {

using Paths = std::vector<std::string>;

Result<Workspace::Listing> list(const std::string& folder) {
  asio::io_context io;
  SystemClock clock;
  FolderWorkspace workspace(clock, folder);
  return test::run(io, workspace.list());
}

Paths listed(const std::string& folder) {
  auto listing = list(folder);
  REQUIRE(listing);
  return listing->paths;
}

std::string code_of(const std::string& folder, const std::string& path) {
  SystemClock clock;
  FolderWorkspace workspace(clock, folder);
  auto text = workspace.read(path);
  return text ? "ok" : std::string(to_string(text.error().code));
}

/// A git command in a folder, with nothing of the person's own configuration.
bool git(const std::string& folder, std::vector<std::string> arguments) {
  asio::io_context io;
  SystemClock clock;
  Command command;
  command.argv = {"git",
                  "-c",
                  "user.name=x",
                  "-c",
                  "user.email=x@example.org",
                  "-c",
                  "init.defaultBranch=main"};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.cwd = folder;
  auto result = test::run(io, run_process(clock, std::move(command)));
  return result && result->code == 0;
}

bool have_git(const std::string& folder) {
  if (git(folder, {"init", "-q"})) return true;
  MESSAGE("skipped: no git here");
  return false;
}

void plant_private(const std::string& root) {
  for (const char* name :
       {".env", ".env.local", "id_rsa", "x/server.pem", "x/tls.key", ".netrc", ".npmrc",
        "credentials", ".ssh/config", ".workflow/state.yaml", "a.p12"}) {
    test::write_file(root + "/" + name, "private");
  }
}

}  // namespace

TEST_CASE("in a repository git says what belongs to it, private files aside") {
  test::TempDir dir;
  if (!have_git(dir.path())) return;
  plant_private(dir.path());
  test::write_file(dir / "tracked.txt", "x");
  test::write_file(dir / "gone.txt", "x");
  test::write_file(dir / "ignored.log", "x");
  test::write_file(dir / "forced.log", "x");
  test::write_file(dir / ".gitignore", "*.log\n");
  test::write_file(dir / "sub/dir/new\nname \"é\".txt", "x");
  std::filesystem::create_symlink("tracked.txt", dir / "inside-link");
  std::filesystem::create_symlink("/etc/passwd", dir / "outside-link");
  REQUIRE(git(dir.path(), {"add", "-f", "tracked.txt", "gone.txt", "forced.log", ".env"}));
  std::filesystem::remove(dir / "gone.txt");
  const Paths all = {".gitignore", "forced.log", "inside-link", "sub/dir/new\nname \"é\".txt",
                     "tracked.txt"};
  CHECK(listed(dir.path()) == all);
  CHECK(listed(dir / "sub") == Paths{"dir/new\nname \"é\".txt"});
  // Variables that point git elsewhere have no say.
  const std::string elsewhere = test::in_child([&] {
    ::setenv("GIT_DIR", "/nonexistent", 1);
    ::setenv("GIT_INDEX_FILE", "/nonexistent", 1);
    std::string names;
    for (const std::string& path : listed(dir.path())) names += path + ";";
    return names;
  });
  CHECK(elsewhere.find("tracked.txt;") != std::string::npos);
  CHECK(elsewhere.find("ignored.log;") == std::string::npos);
}

TEST_CASE("a hostile repository runs nothing") {
  test::TempDir dir;
  std::filesystem::create_directory(dir / "repo");
  const std::string repo = dir / "repo";
  if (!have_git(repo)) return;
  const std::string proof = dir / "proof";
  test::write_file(dir / "evil.sh", "#!/bin/sh\necho \"$0 $*\" >> '" + proof + "'\nexit 1\n");
  const std::string evil = dir / "evil.sh";
  REQUIRE(::chmod(evil.c_str(), 0755) == 0);
  test::write_file(repo + "/a.txt", "x");
  REQUIRE(git(repo, {"add", "a.txt"}));
  REQUIRE(git(repo, {"commit", "-q", "-m", "x"}));
  std::filesystem::create_directories(repo + "/.git/hooks");
  for (const char* hook : {"fsmonitor-watchman", "post-index-change", "pre-commit", "post-checkout",
                           "query-watchman"}) {
    std::filesystem::copy_file(evil, repo + "/.git/hooks/" + hook,
                               std::filesystem::copy_options::overwrite_existing);
  }
  test::write_file(dir / "included",
                   "[core]\n\tfsmonitor = " + evil + "\n\tsshCommand = " + evil + "\n");
  test::write_file(
      repo + "/.git/config",
      "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = " + evil +
          "\n\thooksPath = " + dir.path() + "\n\tsshCommand = " + evil + "\n\tpager = " + evil +
          "\n\teditor = " + evil + "\n\taskPass = " + evil + "\n\tgitProxy = " + evil +
          "\n\tuntrackedCache = true\n[diff]\n\texternal = " + evil +
          "\n[diff \"x\"]\n\ttextconv = " + evil + "\n\tcommand = " + evil +
          "\n[filter \"x\"]\n\tclean = " + evil + "\n\tsmudge = " + evil + "\n\tprocess = " + evil +
          "\n\trequired = true\n[alias]\n\tls-files = !" + evil +
          "\n[include]\n\tpath = " + (dir / "included") + "\n[credential]\n\thelper = !" + evil +
          "\n[trace2]\n\tnormalTarget = " + proof + "\n[pager]\n\tls-files = " + evil + "\n");
  test::write_file(repo + "/.gitattributes", "* filter=x diff=x\n");
  // The planted script does run when git is asked carelessly: the test can fail.
  (void)git(repo, {"status"});
  CHECK(std::filesystem::exists(proof));
  std::filesystem::remove(proof);
  CHECK(listed(repo) == Paths{".gitattributes", "a.txt"});
  const bool ran = std::filesystem::exists(proof);
  CHECK_FALSE(ran);
  if (ran) MESSAGE(test::read_file(proof));
}

TEST_CASE("where git cannot answer, the walk does, by the same rules") {
  test::TempDir dir;
  const std::string root = dir / "folder";
  plant_private(root);
  test::write_file(root + "/b.txt", "x");
  test::write_file(root + "/a/deep/er/c.txt", "x");
  test::write_file(root + "/build/out.o", "x");
  test::write_file(root + "/sub/.gitignore", "*.tmp\n!keep.tmp\n");
  test::write_file(root + "/sub/x.tmp", "x");
  test::write_file(root + "/sub/keep.tmp", "x");
  test::write_file(root + "/x.tmp", "x");
  test::write_file(root + "/.gitignore", "build/\n/only-root.txt\n");
  test::write_file(root + "/sub/only-root.txt", "x");
  test::write_file(root + "/only-root.txt", "x");
  test::write_file(root + "/latin-\xe9", "x");
  test::write_file(dir / "outside/o.txt", "x");
  std::filesystem::create_symlink("../outside", root + "/dirlink");
  std::filesystem::create_symlink("../outside/o.txt", root + "/filelink");
  std::filesystem::create_symlink("b.txt", root + "/goodlink");
  std::filesystem::create_symlink(".", root + "/loop");
  REQUIRE(::mkfifo((root + "/fifo").c_str(), 0600) == 0);
  const Paths expected = {
      ".gitignore",   "a/deep/er/c.txt",   "b.txt", "goodlink", "sub/.gitignore",
      "sub/keep.tmp", "sub/only-root.txt", "x.tmp"};
  CHECK(listed(root) == expected);
  SUBCASE("a broken repository") { test::write_file(root + "/.git/HEAD", "garbage"); }
  SUBCASE("a .git file that points nowhere") {
    test::write_file(root + "/.git", "gitdir: /nonexistent\n");
  }
  SUBCASE("no git in PATH") {
    test::write_file(root + "/.git/HEAD", "ref: refs/heads/main\n");
    const std::string names = test::in_child([&] {
      ::setenv("PATH", "/nonexistent", 1);
      return std::to_string(listed(root).size());
    });
    CHECK(names == "8");
  }
  CHECK(listed(root) == expected);
}

TEST_CASE("a repository that belongs to somebody else is walked") {
  if (::geteuid() != 0) {
    MESSAGE("skipped: needs root to give files away");
    return;
  }
  test::TempDir dir;
  if (!have_git(dir.path())) return;
  test::write_file(dir / "a.txt", "x");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir.path())) {
    REQUIRE(::lchown(entry.path().c_str(), 65534, 65534) == 0);
  }
  REQUIRE(::chown(dir.path().c_str(), 65534, 65534) == 0);
  CHECK(listed(dir.path()) == Paths{"a.txt"});
}

TEST_CASE("listings are bounded") {
  test::TempDir dir;
  for (int i = 0; i < 20100; ++i)
    test::write_file(dir / (std::to_string(i % 50) + "/" + std::to_string(i)), "");
  auto listing = list(dir.path());
  REQUIRE(listing);
  CHECK(listing->truncated);
  CHECK(listing->paths.size() <= kMaxListedFiles);
  CHECK(listing->paths.size() > 1000);
  CHECK(std::is_sorted(listing->paths.begin(), listing->paths.end()));
  if (!have_git(dir.path())) return;
  listing = list(dir.path());
  REQUIRE(listing);
  CHECK(listing->truncated);
  CHECK(listing->paths.size() == kMaxListedFiles);
}

TEST_CASE("a listing can be cancelled") {
  test::TempDir dir;
  for (int i = 0; i < 2000; ++i) test::write_file(dir / std::to_string(i), "");
  asio::io_context io;
  SystemClock clock;
  FolderWorkspace workspace(clock, dir.path());
  std::optional<Background::End> how;
  Background work(
      io.get_executor(),
      [](FolderWorkspace& in) -> Task<void> {
        auto listing = co_await in.list();
        CHECK_FALSE(listing);
      }(workspace),
      [&](Background::End end, const std::string&) { how = end; });
  io.restart();
  io.run_one();
  work.cancel();
  CHECK(test::run_until(io, [&] { return how.has_value(); }));
  CHECK(how == Background::End::cancelled);
}

TEST_CASE("reading stays inside, and gives text") {
  test::TempDir dir;
  const std::string root = dir / "folder";
  test::write_file(root + "/a.txt", "text");
  test::write_file(root + "/empty", "");
  test::write_file(root + "/binary", std::string("ab\0c", 4));
  test::write_file(root + "/late-nul", std::string(9000, 'x') + std::string(1, '\0'));
  test::write_file(root + "/latin", "caf\xe9");
  test::write_file(root + "/large", std::string((1 << 20) + 1, 'x'));
  test::write_file(root + "/full", std::string(1 << 20, 'x'));
  test::write_file(root + "/config.ini", "password=hunter2hunter2\n");
  plant_private(root);
  test::write_file(dir / "folder-twin/secret", "x");
  std::filesystem::create_symlink("../folder-twin/secret", root + "/out");
  std::filesystem::create_symlink(".env", root + "/notes.txt");
  std::filesystem::create_symlink("a.txt", root + "/in");
  REQUIRE(::mkfifo((root + "/fifo").c_str(), 0600) == 0);
  struct Case {
    std::string path;
    const char* outcome;
  };
  const Case cases[] = {{"a.txt", "ok"},
                        {"empty", "ok"},
                        {"late-nul", "ok"},
                        {"latin", "ok"},
                        {"full", "ok"},
                        {"in", "ok"},
                        {root + "/a.txt", "ok"},
                        {"binary", "unsupported"},
                        {"large", "too_large"},
                        {"fifo", "unsupported"},
                        {"x", "unsupported"},
                        {".", "unsupported"},
                        {"missing", "not_found"},
                        {"", "not_found"},
                        {std::string("a\0b", 3), "not_found"},
                        {"../folder-twin/secret", "outside_workspace"},
                        {"out", "outside_workspace"},
                        {"/etc/passwd", "outside_workspace"},
                        {".env", "outside_workspace"},
                        {"notes.txt", "outside_workspace"},
                        {"id_rsa", "outside_workspace"},
                        {"x/server.pem", "outside_workspace"},
                        {"x/../.env", "outside_workspace"},
                        {".workflow/state.yaml", "outside_workspace"},
                        {".ssh/config", "outside_workspace"}};
  for (const Case& item : cases) {
    CAPTURE(item.path);
    CHECK(code_of(root, item.path) == item.outcome);
  }
  SystemClock clock;
  FolderWorkspace workspace(clock, root + "/");
  CHECK(*workspace.read("latin") == "caf\uFFFD");
  CHECK(*workspace.read("config.ini") == "password=[masked]\n");
  CHECK(list(dir / "none").error().code == ErrorCode::folder_missing);
}

TEST_CASE("private names are private in every case and place") {
  for (const char* path :
       {".git/config", "a/.GIT/x", ".env", ".ENV.production", ".envrc", "a/b/ID_RSA", "x.PEM",
        "k.key", ".aws/config", "credentials.json", "deploy.kdbx"}) {
    CAPTURE(path);
    CHECK(is_private(path));
  }
  for (const char* path : {".github/x.yml", "environment.ts", "src/key.cpp", "keys/readme.md",
                           "git/x", ".gitignore", "id_rsa.cpp", "pem", "credentials/README.md2"}) {
    CAPTURE(path);
    CHECK(is_private(path) == (std::string(path).rfind("credentials/", 0) == 0));
  }
}
