#include "server/store/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "protocol/text.h"

namespace brainstorm::files {
namespace {

constexpr mode_t kDirectoryMode = 0700;
constexpr mode_t kFileMode = 0600;
constexpr std::string_view kTemporary = ".tmp";
constexpr std::size_t kRandomDigits = 8;

Error no_regular_file(const std::string& shown) {
  return Error{ErrorCode::outside_workspace,
               shown + " is no regular file",
               "Something else was put in its place: move that away, then try again.",
               {{"path", shown}}};
}

/// Linux reports a link that O_NOFOLLOW met as ELOOP, or ENOTDIR where a directory was asked for.
int link_error(int error, int base, const std::string& name) {
  struct stat info {};
  if (error == ENOTDIR && ::fstatat(base, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(info.st_mode)) {
    return ELOOP;
  }
  return error;
}

Kind kind_of(int directory, const dirent& entry) {
  if (entry.d_type == DT_REG) return Kind::file;
  if (entry.d_type == DT_DIR) return Kind::directory;
  if (entry.d_type != DT_UNKNOWN) return Kind::other;
  struct stat info {};
  if (::fstatat(directory, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return Kind::other;
  if (S_ISREG(info.st_mode)) return Kind::file;
  return S_ISDIR(info.st_mode) ? Kind::directory : Kind::other;
}

}  // namespace

bool is_safe_component(std::string_view name) {
  if (name.empty() || name.size() > 200 || name == "." || name == "..") return false;
  const bool printable = std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F && c != '/';
  });
  return printable && text::is_valid_utf8(name);
}

Result<std::vector<std::string>> split(std::string_view name) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const auto slash = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, slash - at);
    if (!is_safe_component(part) || parts.size() == 8) {
      return Error{ErrorCode::outside_workspace,
                   "not a name inside a session: " +
                       text::shorten(text::one_line(text::repair_utf8(name)), 100),
                   "Use a relative name such as perspectives/critic.md.",
                   {}};
    }
    parts.emplace_back(part);
    at = slash + 1;
  }
  return parts;
}

Result<Descriptor> open_directory(int base, const std::string& name, const std::string& shown) {
  Descriptor opened(::openat(base, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!opened) return os_error(link_error(errno, base, name), "open", shown);
  return opened;
}

Result<Descriptor> make_directory(int base, const std::string& name, const std::string& shown) {
  if (::mkdirat(base, name.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
    return os_error(errno, "make the directory", shown);
  }
  return open_directory(base, name, shown);
}

Result<Descriptor> open_file(int directory, const std::string& name, int flags,
                             const std::string& shown) {
  // O_NONBLOCK: opening a FIFO for reading would wait for its writer.
  Descriptor opened(
      ::openat(directory, name.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, kFileMode));
  if (!opened && (errno == ENXIO || errno == EISDIR)) return no_regular_file(shown);
  if (!opened) return os_error(errno, "open", shown);
  struct stat info {};
  if (::fstat(opened.get(), &info) != 0) return os_error(errno, "look at", shown);
  if (!S_ISREG(info.st_mode)) return no_regular_file(shown);
  return opened;
}

Result<std::string> read_head(int file, std::size_t count, const std::string& shown) {
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got = ::read(file, bytes.data() + have, count - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return os_error(errno, "read", shown);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

Result<std::string> read_file(int directory, const std::string& name, std::size_t limit,
                              const std::string& shown) {
  TRY(Descriptor file, open_file(directory, name, O_RDONLY, shown));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return os_error(errno, "look at", shown);
  const auto size = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0));
  // One byte more tells a file that grew meanwhile.
  TRY(std::string bytes, read_head(file.get(), std::min(size, limit) + 1, shown));
  if (bytes.size() > limit) {
    return Error{ErrorCode::too_large,
                 shown + " is larger than " + std::to_string(limit) + " bytes",
                 "It was not written by this program: move it away.",
                 {{"path", shown}}};
  }
  return bytes;
}

Ok write_all(int file, std::string_view bytes, const std::string& shown) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return os_error(errno, "write", shown);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

bool is_regular(int directory, const std::string& name) {
  struct stat info {};
  return ::fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(info.st_mode);
}

std::string temporary_name(const std::string& name, std::uint64_t random) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = name + ".";
  for (std::size_t i = 0; i < kRandomDigits; ++i, random >>= 4) result += kDigits[random & 15U];
  return result += kTemporary;
}

bool is_temporary(std::string_view name) {
  if (name.size() < kTemporary.size() + kRandomDigits + 2) return false;
  if (name.substr(name.size() - kTemporary.size()) != kTemporary) return false;
  name.remove_suffix(kTemporary.size());
  const std::string_view digits = name.substr(name.size() - kRandomDigits);
  return name[name.size() - kRandomDigits - 1] == '.' &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Ok create_whole(int directory, const std::string& name, std::string_view bytes,
                std::uint64_t random, const std::string& shown) {
  const Temporary temporary(directory, temporary_name(name, random));
  TRY(Descriptor file, open_file(directory, temporary.name(), O_WRONLY | O_CREAT | O_EXCL, shown));
  TRY_OK(write_all(file.get(), bytes, shown));
  // A link, not a rename: it fails where the name exists, and shows the file only when it is whole.
  if (::linkat(directory, temporary.name().c_str(), directory, name.c_str(), 0) == 0) return {};
  if (errno != EEXIST) return os_error(errno, "create", shown);
  return Error{ErrorCode::already_decided,
               shown + " exists already",
               "The first answer counts.",
               {{"path", shown}}};
}

std::vector<Entry> entries(int directory) {
  std::vector<Entry> result;
  // A description of its own: a duplicate would share the position.
  Descriptor own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return result;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(own.get()), &::closedir);
  if (!stream) return result;
  own.release();
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    result.push_back(Entry{std::string(name), kind_of(directory, *entry)});
  }
  return result;
}

int rename_new(int from, const std::string& name, int to, const std::string& new_name) {
  if (::renameat2(from, name.c_str(), to, new_name.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system without that flag: look first; only another process of ours could come between.
  struct stat info {};
  if (::fstatat(to, new_name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  return ::renameat(from, name.c_str(), to, new_name.c_str()) == 0 ? 0 : errno;
}

Temporary::~Temporary() {
  if (directory_ >= 0) ::unlinkat(directory_, name_.c_str(), 0);
}

}  // namespace brainstorm::files
