#include "server/os/paths.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include "protocol/text.h"
#include "server/os/descriptor.h"

namespace brainstorm::paths {
namespace {

std::string environment_path(const char* name) {
  const char* value = ::getenv(name);
  if (value == nullptr || value[0] != '/') return {};
  return value;
}

std::string xdg(const char* name, const char* below_home) {
  std::string base = environment_path(name);
  if (base.empty()) {
    const std::string own = home();
    if (own.empty()) return {};
    base = own + below_home;
  }
  return base + "/brainstorm-ls";
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Error bad_uri(std::string_view uri, std::string_view reason) {
  return Error{ErrorCode::invalid_argument,
               "not a usable file URI (" + std::string(reason) +
                   "): " + text::shorten(text::one_line(text::repair_utf8(uri)), 200),
               "Use a URI like file:///home/me/project.",
               {}};
}

Result<std::string> percent_decode(std::string_view uri, std::string_view escaped) {
  std::string decoded;
  decoded.reserve(escaped.size());
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '%') {
      decoded += escaped[i];
      continue;
    }
    const int high = i + 2 < escaped.size() ? hex_digit(escaped[i + 1]) : -1;
    const int low = i + 2 < escaped.size() ? hex_digit(escaped[i + 2]) : -1;
    if (high < 0 || low < 0) return bad_uri(uri, "broken escape");
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (decoded.find('\0') != std::string::npos) return bad_uri(uri, "it holds a NUL");
  return decoded;
}

bool is_drive(std::string_view path) {
  const bool letter = path.size() >= 3 &&
                      ((path[1] >= 'a' && path[1] <= 'z') || (path[1] >= 'A' && path[1] <= 'Z'));
  return letter && path[0] == '/' && path[2] == ':' && (path.size() == 3 || path[3] == '/');
}

/// What two URIs of one file have in common.
std::string comparable(std::string_view uri) {
  auto path = from_uri(uri);
  if (!path) return std::string(uri);
  if (is_drive(*path)) (*path)[1] = text::lower_ascii(path->substr(1, 1))[0];
  while (path->size() > 1 && path->back() == '/') path->pop_back();
  return "file:" + *path;
}

}  // namespace

std::string home() {
  std::string value = environment_path("HOME");
  if (!value.empty()) return value;
  std::vector<char> buffer(16384);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0) return {};
  if (found == nullptr || found->pw_dir == nullptr || found->pw_dir[0] != '/') return {};
  return found->pw_dir;
}

std::string config_dir() { return xdg("XDG_CONFIG_HOME", "/.config"); }
std::string cache_dir() { return xdg("XDG_CACHE_HOME", "/.cache"); }
std::string state_dir() { return xdg("XDG_STATE_HOME", "/.local/state"); }

Result<std::string> real(const std::string& path) {
  std::unique_ptr<char, decltype(&::free)> resolved(::realpath(path.c_str(), nullptr), &::free);
  if (!resolved) return os_error(errno, "find", path);
  return std::string(resolved.get());
}

Result<std::string> inside(const std::string& root, const std::string& path) {
  TRY(const std::string base, real(root));
  const bool absolute = !path.empty() && path[0] == '/';
  TRY(std::string resolved, real(absolute ? path : base + "/" + path));
  if (!is_below(base, resolved)) {
    return Error{ErrorCode::outside_workspace,
                 path + " leads out of " + root,
                 "Name a file inside the workspace folder.",
                 {{"path", path}}};
  }
  return resolved;
}

bool is_below(std::string_view root, std::string_view path) {
  while (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
  if (root == "/") return !path.empty() && path[0] == '/';
  return path.substr(0, root.size()) == root &&
         (path.size() == root.size() || path[root.size()] == '/');
}

Result<std::string> from_uri(std::string_view uri) {
  if (!text::starts_with_ci(uri, "file:")) return bad_uri(uri, "its scheme is not file");
  std::string_view rest = uri.substr(5);
  if (rest.substr(0, 2) == "//") {
    rest.remove_prefix(2);
    const auto slash = rest.find('/');
    const auto host = rest.substr(0, slash);
    if (!host.empty() && text::lower_ascii(host) != "localhost") {
      return bad_uri(uri, "it names another host");
    }
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
  }
  rest = rest.substr(0, rest.find_first_of("?#"));
  if (rest.empty() || rest[0] != '/') return bad_uri(uri, "it has no absolute path");
  return percent_decode(uri, rest);
}

std::string to_uri(std::string_view path) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~' || c == '/';
    if (plain) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += kDigits[byte >> 4];
    uri += kDigits[byte & 15];
  }
  return uri;
}

bool same_uri(std::string_view left, std::string_view right) {
  return left == right || comparable(left) == comparable(right);
}

}  // namespace brainstorm::paths
