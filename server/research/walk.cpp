#include "server/research/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "commands/task.h"
#include "protocol/text.h"
#include "server/os/descriptor.h"
#include "server/os/paths.h"
#include "server/research/borders.h"
#include "server/research/ignore.h"
#include "server/research/workspace.h"

namespace brainstorm {
namespace {

constexpr Millis kTimeLimit = std::chrono::seconds(2);
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxIgnoreBytes = std::size_t{64} << 10;
constexpr int kSlice = 200;  // entries, well under 5 ms

struct Entry {
  std::string name;
  unsigned char type;
};

/// A directory on the way down, and what is left of it.
struct Level {
  std::string path;  // relative, "" for the folder
  Descriptor descriptor;
  std::vector<Entry> entries;
  std::size_t rules = 0;  // to go back to
};

std::vector<Entry> read_entries(int directory) {
  std::vector<Entry> result;
  Descriptor own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return result;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(own.get()), &::closedir);
  if (!stream) return result;
  own.release();
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || is_private_name(name)) continue;
    if (!text::is_valid_utf8(name)) continue;
    result.push_back(Entry{std::string(name), entry->d_type});
    if (result.size() > 4 * kMaxListedFiles) break;
  }
  // From the back, so that the walk goes by name.
  std::sort(result.begin(), result.end(),
            [](const Entry& left, const Entry& right) { return left.name > right.name; });
  return result;
}

std::string read_ignore_file(int directory) {
  Descriptor file(
      ::openat(directory, ".gitignore", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  std::string bytes(kMaxIgnoreBytes, '\0');
  const ssize_t count = ::pread(file.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

class Walk {
 public:
  explicit Walk(std::string folder) : folder_(std::move(folder)) {
    enter(Descriptor(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), "");
  }
  bool done() const { return levels_.empty() || listing_.truncated; }
  void stop() { listing_.truncated = true; }
  Workspace::Listing take() {
    std::sort(listing_.paths.begin(), listing_.paths.end());
    return std::move(listing_);
  }

  void step() {
    Level& level = levels_.back();
    if (level.entries.empty()) {
      rules_.shrink(level.rules);
      levels_.pop_back();
      return;
    }
    const Entry entry = std::move(level.entries.back());
    level.entries.pop_back();
    const std::string path = level.path.empty() ? entry.name : level.path + "/" + entry.name;
    visit(level, entry, path);
  }

 private:
  void visit(const Level& level, const Entry& entry, const std::string& path) {
    unsigned char type = entry.type;
    struct stat info {};
    if (type == DT_UNKNOWN &&
        ::fstatat(level.descriptor.get(), entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
      type = S_ISDIR(info.st_mode) ? DT_DIR : S_ISREG(info.st_mode) ? DT_REG : DT_UNKNOWN;
    }
    if (type == DT_DIR) {
      if (levels_.size() >= kMaxDepth || rules_.ignores(path, true)) return;
      enter(Descriptor(::openat(level.descriptor.get(), entry.name.c_str(),
                                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
            path);
    } else if (type == DT_REG || (type == DT_LNK && leads_inside(path))) {
      if (rules_.ignores(path, false)) return;
      if (listing_.paths.size() >= kMaxListedFiles) return stop();
      listing_.paths.push_back(path);
    }
  }

  bool leads_inside(const std::string& path) const {
    auto target = paths::inside(folder_, path);
    struct stat info {};
    return target && ::stat(target->c_str(), &info) == 0 && S_ISREG(info.st_mode);
  }

  void enter(Descriptor directory, const std::string& path) {
    if (!directory) return;
    Level level{path, std::move(directory), {}, rules_.size()};
    rules_.add(read_ignore_file(level.descriptor.get()), path);
    level.entries = read_entries(level.descriptor.get());
    levels_.push_back(std::move(level));
  }

  std::string folder_;
  std::vector<Level> levels_;
  IgnoreRules rules_;
  Workspace::Listing listing_;
};

}  // namespace

Task<Workspace::Listing> walk_folder(Clock& clock, std::string folder) {
  const Millis end = clock.monotonic() + kTimeLimit;
  Walk walk(std::move(folder));
  while (!walk.done()) {
    for (int i = 0; i < kSlice && !walk.done(); ++i) walk.step();
    if (clock.monotonic() > end) walk.stop();
    co_await yield_turn();
  }
  co_return walk.take();
}

}  // namespace brainstorm
