#include "server/research/workspace.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "commands/task.h"
#include "protocol/text.h"
#include "server/os/descriptor.h"
#include "server/os/paths.h"
#include "server/os/process.h"
#include "server/research/borders.h"
#include "server/research/walk.h"

namespace brainstorm {
namespace {

constexpr std::size_t kBinaryProbe = 8192;
constexpr std::size_t kMaxGitOutput = std::size_t{8} << 20;
constexpr Millis kGitTimeout = std::chrono::seconds(10);
constexpr std::size_t kSlice = 500;

bool has_git_root(std::string directory) {
  struct stat info {};
  while (!directory.empty()) {
    if (::lstat((directory + "/.git").c_str(), &info) == 0) return true;
    directory.resize(directory.rfind('/') == std::string::npos ? 0 : directory.rfind('/'));
  }
  return ::lstat("/.git", &info) == 0;
}

/// Nothing that a repository's configuration names may run: no fsmonitor, no hooks, no pager, no
/// prompts; and no variable of ours may point git elsewhere.
Command git_command(const std::string& folder) {
  Command command;
  command.argv = {
      "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "ls-files", "-z",
      "-c",  "-o", "--exclude-standard"};
  command.cwd = folder;
  command.timeout = kGitTimeout;
  command.max_output = kMaxGitOutput;
  std::map<std::string, std::string> env;
  for (const auto& [name, value] : environment()) {
    if (name.rfind("GIT_", 0) != 0) env.emplace(name, value);
  }
  env["GIT_CONFIG_NOSYSTEM"] = "1";
  env["GIT_OPTIONAL_LOCKS"] = "0";
  env["GIT_TERMINAL_PROMPT"] = "0";
  env["LC_ALL"] = "C";
  command.env = std::move(env);
  return command;
}

/// What is there, a regular file, and, if a link, inside.
bool is_readable_file(const std::string& folder, const std::string& path) {
  struct stat info {};
  const std::string full = folder + "/" + path;
  if (::lstat(full.c_str(), &info) != 0) return false;
  if (S_ISREG(info.st_mode)) return true;
  if (!S_ISLNK(info.st_mode) || ::stat(full.c_str(), &info) != 0) return false;
  return S_ISREG(info.st_mode) && paths::inside(folder, path).has_value();
}

/// Splits git's NUL-separated output and leaves out what is not for us.
Task<Workspace::Listing> sift(std::string folder, std::string output, bool truncated) {
  Workspace::Listing listing;
  listing.truncated = truncated;
  std::size_t seen = 0;
  for (std::size_t at = 0; at < output.size();) {
    const auto end = output.find('\0', at);
    if (end == std::string::npos) break;  // cut in the middle of a name
    std::string path = output.substr(at, end - at);
    at = end + 1;
    if (++seen % kSlice == 0) co_await yield_turn();
    if (!text::is_valid_utf8(path) || is_private(path)) continue;
    if (!is_readable_file(folder, path)) continue;
    if (listing.paths.size() >= kMaxListedFiles) {
      listing.truncated = true;
      break;
    }
    listing.paths.push_back(std::move(path));
  }
  std::sort(listing.paths.begin(), listing.paths.end());
  // A conflicted file stands in git's index up to three times.
  listing.paths.erase(std::unique(listing.paths.begin(), listing.paths.end()), listing.paths.end());
  co_return listing;
}

Error refused(ErrorCode code, const std::string& path, const std::string& reason) {
  const std::string shown = text::shorten(text::one_line(text::repair_utf8(path)), 200);
  return Error{
      code, shown + " " + reason, "Name another file of the workspace.", {{"path", shown}}};
}

/// Opens a file that `inside` found, unless the path leads elsewhere by now.
Result<Descriptor> open_inside(const std::string& root, const std::string& resolved) {
  Descriptor file(::open(resolved.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    const int error = errno;
    if (error == EACCES || error == EPERM) {
      return refused(ErrorCode::unsupported, resolved, "may not be read");
    }
    return os_error(error, "read", resolved);
  }
  std::string target(PATH_MAX, '\0');
  const std::string link = "/proc/self/fd/" + std::to_string(file.get());
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  if (length > 0) {
    target.resize(static_cast<std::size_t>(length));
    if (!paths::is_below(root, target)) {
      return refused(ErrorCode::outside_workspace, resolved, "leads out of the workspace");
    }
  }
  return file;
}

Result<std::string> read_text(int file, const std::string& path) {
  struct stat info {};
  if (::fstat(file, &info) != 0) return os_error(errno, "read", path);
  if (!S_ISREG(info.st_mode)) {
    return refused(ErrorCode::unsupported, path, "is no regular file");
  }
  std::string bytes(
      std::min(static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)), kMaxFileBytes) + 1,
      '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t count = ::read(file, bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return os_error(errno, "read", path);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  if (have > kMaxFileBytes) return refused(ErrorCode::too_large, path, "is larger than 1 MiB");
  bytes.resize(have);
  if (std::string_view(bytes).substr(0, kBinaryProbe).find('\0') != std::string_view::npos) {
    return refused(ErrorCode::unsupported, path, "is a binary file");
  }
  return bytes;
}

}  // namespace

FolderWorkspace::FolderWorkspace(Clock& clock, std::string folder)
    : clock_(clock), folder_(std::move(folder)) {
  while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
}

Task<Result<Workspace::Listing>> FolderWorkspace::list() {
  const std::string folder = folder_;
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    co_return Error{ErrorCode::folder_missing,
                    "there is no folder " + folder,
                    "Check that it exists and was not moved.",
                    {{"path", folder}}};
  }
  if (has_git_root(folder)) {
    Command command = git_command(folder);
    auto git = co_await run_process(clock_, std::move(command));
    // Without git, in a bare or somebody else's repository: the walk does it.
    if (git && git->code == 0) {
      auto listing = co_await sift(folder, std::move(git->out), git->truncated);
      co_return listing;
    }
  }
  auto listing = co_await walk_folder(clock_, folder);
  co_return listing;
}

Result<std::string> FolderWorkspace::read(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return refused(ErrorCode::not_found, path, "is no file name");
  }
  if (is_private(path)) return refused(ErrorCode::outside_workspace, path, "is private");
  TRY(const std::string root, paths::real(folder_));
  TRY(const std::string resolved, paths::inside(root, path));
  if (resolved != root &&
      is_private(std::string_view(resolved).substr(root == "/" ? 1 : root.size() + 1))) {
    return refused(ErrorCode::outside_workspace, path, "leads to a private file");
  }
  TRY(const Descriptor file, open_inside(root, resolved));
  TRY(const std::string bytes, read_text(file.get(), path));
  return mask_credentials(text::is_valid_utf8(bytes) ? bytes : text::repair_utf8(bytes));
}

}  // namespace brainstorm
