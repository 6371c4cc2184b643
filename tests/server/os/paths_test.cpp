#include "server/os/paths.h"

#include <doctest/doctest.h>

#include "tests/server/os/support.h"

using namespace brainstorm;

TEST_CASE("file URIs become paths") {
  struct Case {
    const char* uri;
    const char* path;  // nullptr: refused
  };
  const Case cases[] = {
      {"file:///home/me/a%20b.txt", "/home/me/a b.txt"},
      {"FILE:///x", "/x"},
      {"file:/x/y", "/x/y"},
      {"file://localhost/x", "/x"},
      {"file:///c%3A/Users", "/c:/Users"},
      {"file:///%E2%82%AC/%F0%9F%8E%89", "/€/🎉"},
      {"file:///a%23b%3Fc", "/a#b?c"},
      {"file:///a?q#f", "/a"},
      {"file:///a+b", "/a+b"},
      {"file://server/share", nullptr},
      {"http://localhost/x", nullptr},
      {"untitled:Untitled-1", nullptr},
      {"file:///a%2", nullptr},
      {"file:///a%zz", nullptr},
      {"file:///a%00b", nullptr},
      {"file://", nullptr},
      {"file:relative", nullptr},
      {"", nullptr},
  };
  for (const Case& item : cases) {
    CAPTURE(item.uri);
    auto path = paths::from_uri(item.uri);
    if (item.path == nullptr) {
      REQUIRE_FALSE(path);
      CHECK(path.error().code == ErrorCode::invalid_argument);
      CHECK_FALSE(path.error().hint.empty());
    } else {
      REQUIRE(path);
      CHECK(*path == item.path);
    }
  }
}

TEST_CASE("paths become URIs and come back") {
  CHECK(paths::to_uri("/a b/c:d#é") == "file:///a%20b/c%3Ad%23%C3%A9");
  for (const std::string path : {"/", "/a b", "/100%", "/q?x#y&z=1", "/日本/🎉", "/new\nline"}) {
    CAPTURE(path);
    auto back = paths::from_uri(paths::to_uri(path));
    REQUIRE(back);
    CHECK(*back == path);
  }
}

TEST_CASE("URIs of one file are equal however they are written") {
  CHECK(paths::same_uri("file:///c%3A/x", "file:///C:/x"));
  CHECK(paths::same_uri("file:///a%20b", "file:///a%20b/"));
  CHECK(paths::same_uri("file:///%61", "file:///a"));
  CHECK(paths::same_uri("untitled:1", "untitled:1"));
  CHECK_FALSE(paths::same_uri("file:///a", "file:///A"));
  CHECK_FALSE(paths::same_uri("file:///c:/x", "file:///d:/x"));
  CHECK_FALSE(paths::same_uri("untitled:1", "file:///1"));
}

TEST_CASE("links are resolved before a path counts as inside") {
  test::TempDir dir;
  test::write_file(dir / "root/sub/file.txt", "x");
  test::write_file(dir / "secret.txt", "x");
  test::write_file(dir / "root-twin/file.txt", "x");
  std::filesystem::create_symlink(dir / "secret.txt", dir / "root/out");
  std::filesystem::create_symlink("sub/file.txt", dir / "root/in");
  const std::string root = dir / "root";
  struct Case {
    std::string path;
    std::optional<ErrorCode> code;
  };
  const Case cases[] = {
      {"sub/file.txt", {}},
      {"in", {}},
      {root + "/sub/file.txt", {}},
      {".", {}},
      {"out", ErrorCode::outside_workspace},
      {"../secret.txt", ErrorCode::outside_workspace},
      {"../root-twin/file.txt", ErrorCode::outside_workspace},
      {"/etc/passwd", ErrorCode::outside_workspace},
      {"missing", ErrorCode::not_found},
  };
  for (const Case& item : cases) {
    CAPTURE(item.path);
    auto found = paths::inside(root, item.path);
    CHECK(found.has_value() == !item.code.has_value());
    if (item.code && !found) CHECK(found.error().code == *item.code);
  }
  CHECK(paths::is_below("/", "/a"));
  CHECK(paths::is_below("/a/", "/a"));
  CHECK_FALSE(paths::is_below("/a", "/ab"));
}

TEST_CASE("directories of the person follow XDG") {
  const std::string out = test::in_child([] {
    ::setenv("HOME", "/home/someone", 1);
    ::unsetenv("XDG_CONFIG_HOME");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    ::setenv("XDG_STATE_HOME", "/var/state", 1);
    return paths::config_dir() + " " + paths::cache_dir() + " " + paths::state_dir();
  });
  CHECK(out ==
        "/home/someone/.config/brainstorm-ls /home/someone/.cache/brainstorm-ls "
        "/var/state/brainstorm-ls");
}
