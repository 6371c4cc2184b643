#include "server/settings/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace brainstorm::settings {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20;

struct Descriptor {
  explicit Descriptor(int opened) : fd(opened) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int fd;
};

Error failure(const std::string& path, const std::string& what) {
  return Error{ErrorCode::settings_invalid,
               path + ": " + what,
               "Make it a readable text file of at most 1 MiB, or move it away.",
               {{"file", path}}};
}

bool is_missing(int error) { return error == ENOENT || error == ENOTDIR; }

Result<FileText> read_open(int fd, const std::string& path) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) return failure(path, std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) return failure(path, "is not a regular file");
  FileText file;
  file.exists = true;
  file.only_ours = (facts.st_mode & 077) == 0 && facts.st_uid == ::geteuid();
  std::array<char, 16384> buffer{};
  while (true) {
    const auto count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(path, std::strerror(errno));
    if (count == 0) return file;
    file.text.append(buffer.data(), static_cast<std::size_t>(count));
    if (file.text.size() > kLargest) return failure(path, "is larger than 1 MiB");
  }
}

constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

}  // namespace

Result<FileText> read_own(const std::string& path) {
  const Descriptor file(::open(path.c_str(), kFlags));
  if (file.fd < 0 && is_missing(errno)) return FileText{};
  if (file.fd < 0) return failure(path, std::strerror(errno));
  return read_open(file.fd, path);
}

Result<FileText> read_untrusted(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return failure(path, "is not an absolute path");
  const auto directory = path.substr(0, slash);
  const Descriptor parent(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (parent.fd < 0) return FileText{};
  const Descriptor file(::openat(parent.fd, path.c_str() + slash + 1, kFlags | O_NOFOLLOW));
  if (file.fd < 0 && is_missing(errno)) return FileText{};
  if (file.fd < 0 && errno == ELOOP) return failure(path, "is a link; links are not followed here");
  if (file.fd < 0) return failure(path, std::strerror(errno));
  return read_open(file.fd, path);
}

}  // namespace brainstorm::settings
