#include "server/cli/trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "protocol/text.h"
#include "server/settings/files.h"

namespace brainstorm::cli {
namespace {

std::string list_path(const std::string& config_dir) { return config_dir + "/trusted-folders"; }

Error failed(const std::string& path, int error) {
  return Error{error == EROFS || error == EACCES ? ErrorCode::read_only : ErrorCode::io_failed,
               "The folder cannot be remembered as trusted: " + path + ": " + std::strerror(error),
               "Make that place writable, or leave --trust out.",
               {{"file", path}}};
}

Ok replace(const std::string& path, const std::string& content) {
  std::string temporary = path + ".XXXXXX";
  const int fd = ::mkstemp(temporary.data());  // mode 0600
  if (fd < 0) return failed(path, errno);
  const auto written = ::write(fd, content.data(), content.size());
  const bool whole = written == static_cast<ssize_t>(content.size()) && ::fsync(fd) == 0;
  const int error = whole ? 0 : (errno != 0 ? errno : EIO);
  ::close(fd);
  if (whole && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const int renamed = whole ? errno : error;
  ::unlink(temporary.c_str());
  return failed(path, renamed);
}

}  // namespace

std::vector<std::string> trusted_folders(const std::string& config_dir) {
  std::vector<std::string> folders;
  if (config_dir.empty()) return folders;
  const auto file = settings::read_own(list_path(config_dir));
  if (!file || !file->exists) return folders;
  for (const auto line : text::lines(file->text)) {
    if (line.starts_with('/')) folders.emplace_back(line);
  }
  return folders;
}

Ok remember_trust(const std::string& config_dir, const std::string& folder) {
  auto folders = trusted_folders(config_dir);
  if (std::find(folders.begin(), folders.end(), folder) != folders.end()) return {};
  if (config_dir.empty()) return failed("no home directory", ENOENT);
  if (folder.find('\n') != std::string::npos) return failed(folder, EINVAL);
  std::error_code error;
  std::filesystem::create_directories(config_dir, error);
  if (error) return failed(config_dir, error.value());
  folders.push_back(folder);
  return replace(list_path(config_dir), text::join(folders, "\n") + "\n");
}

}  // namespace brainstorm::cli
