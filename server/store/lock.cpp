#include "server/store/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/session/timestamp.h"
#include "protocol/text.h"
#include "server/store/tree.h"
#include "server/store/yaml.h"

namespace brainstorm {
namespace {

constexpr std::size_t kMaxLock = 4096;
constexpr auto kForeignStale = std::chrono::minutes(30);

std::string host_name() {
  std::array<char, 256> buffer{};
  if (::gethostname(buffer.data(), buffer.size() - 1) != 0) return "unknown";
  return buffer.data();
}

/// Seconds may have a fraction where another program wrote them.
std::optional<WallTime> instant(const std::string& text) {
  return parse_iso8601(text.size() > 20 ? text.substr(0, 19) + "Z" : text);
}

std::string content_of(int lock) {
  std::string bytes(kMaxLock, '\0');
  const ssize_t count = ::pread(lock, bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

std::string shown_value(const Json& owner, std::string_view key) {
  const Json* value = json::find(owner, key);
  if (value == nullptr) return {};
  if (value->is_number_integer()) return value->dump();
  return value->is_string() ? text::shorten(text::one_line(value->get<std::string>()), 100) : "";
}

/// The instant of the file's last change, for locks that do not tell one.
WallTime changed_at(int lock) {
  struct stat info {};
  if (::fstat(lock, &info) != 0) return {};
  return WallTime(std::chrono::seconds(info.st_mtim.tv_sec));
}

bool is_held_elsewhere(int lock, const LockOwner& owner, Clock& clock) {
  if (owner.host.empty() || owner.host == host_name()) return false;  // then the OS lock tells
  const WallTime renewed = instant(owner.since).value_or(changed_at(lock));
  return clock.wall() - renewed < kForeignStale;
}

Error locked(const std::string& session, const LockOwner& owner) {
  const auto or_unknown = [](const std::string& value) { return value.empty() ? "?" : value; };
  Error error{ErrorCode::session_locked,
              "session " + session + " is being worked on by process " + or_unknown(owner.pid) +
                  " on " + or_unknown(owner.host) + " since " + or_unknown(owner.since),
              "Wait for it, or end that process first.",
              {{"session", session}}};
  if (!owner.pid.empty()) error.data["pid"] = owner.pid;
  if (!owner.host.empty()) error.data["host"] = owner.host;
  if (!owner.since.empty()) error.data["since"] = owner.since;
  return error;
}

}  // namespace

LockOwner parse_lock(const std::string& content) {
  LockOwner owner;
  auto parsed = read_yaml(content, kLockName);
  if (parsed && parsed->is_object()) {
    return LockOwner{shown_value(*parsed, "pid"), shown_value(*parsed, "host"),
                     shown_value(*parsed, "locked_at")};
  }
  for (const std::string_view raw : text::lines(content)) {
    const std::string line(text::trim(raw));
    const bool digits =
        !line.empty() && line.size() < 12 && line.find_first_not_of("0123456789") == line.npos;
    if (digits) owner.pid = line;
    if (instant(line)) owner.since = line;
  }
  return owner;
}

Result<Descriptor> take_lock(int directory, const std::string& session, const std::string& shown,
                             Clock& clock) {
  // Once more when the file was replaced between its opening and the lock.
  for (int attempt = 0; attempt < 3; ++attempt) {
    TRY(Descriptor lock,
        files::open_file(directory, kLockName, O_RDWR | O_CREAT, shown + "/" + kLockName));
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return os_error(errno, "lock", shown);
      return locked(session, parse_lock(content_of(lock.get())));
    }
    const LockOwner owner = parse_lock(content_of(lock.get()));
    if (is_held_elsewhere(lock.get(), owner, clock)) return locked(session, owner);
    if (!is_lock_of(directory, lock.get())) continue;
    renew_lock(lock.get(), session, clock);
    return lock;
  }
  return locked(session, {});
}

void renew_lock(int lock, const std::string& session, Clock& clock) {
  const Json content = {{"workflow_id", session},
                        {"locked_at", iso8601(clock.wall())},
                        {"pid", ::getpid()},
                        {"host", host_name()}};
  const std::string bytes = write_yaml(content, {"workflow_id", "locked_at", "pid", "host"});
  // Best effort: the lock itself is the kernel's, and a full disk is no reason to give it up.
  const ssize_t count = ::pwrite(lock, bytes.data(), bytes.size(), 0);
  if (count >= 0) (void)::ftruncate(lock, count);
}

void release_lock(int lock) { (void)::ftruncate(lock, 0); }

bool is_lock_of(int directory, int lock) {
  struct stat ours {};
  struct stat there {};
  return ::fstat(lock, &ours) == 0 &&
         ::fstatat(directory, kLockName.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

bool is_unlocked(int directory) {
  auto lock = files::open_file(directory, kLockName, O_RDONLY, kLockName);
  if (!lock) return lock.error().code == ErrorCode::not_found;
  return ::flock(lock->get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace brainstorm
