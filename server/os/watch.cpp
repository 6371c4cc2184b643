#include "server/os/watch.h"

#include <sys/inotify.h>

#include <algorithm>
#include <array>
#include <asio/any_io_executor.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "server/os/descriptor.h"

namespace brainstorm {
namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM |
                                  IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

struct Entry {
  int mark;  // inotify's number; equal for two entries on one directory
  std::function<void()> on_change;
};

Error watch_error(int error) {
  Error result = os_error(error, "watch", "a session's inbox");
  if (error == EMFILE || error == ENOSPC) {
    result.code = ErrorCode::io_failed;
    result.hint = "Raise fs.inotify.max_user_instances and fs.inotify.max_user_watches (sysctl).";
  }
  return result;
}

}  // namespace

struct DirectoryWatcher::Shared : std::enable_shared_from_this<DirectoryWatcher::Shared> {
  explicit Shared(const asio::any_io_executor& on) : executor(on) {}

  asio::any_io_executor executor;
  std::optional<asio::posix::stream_descriptor> kernel;
  std::vector<std::shared_ptr<Entry>> entries;

  Ok start();
  void wait();
  void deliver();
  std::set<int> drain(bool& all);
  void remove(const std::shared_ptr<Entry>& entry);
};

Ok DirectoryWatcher::Shared::start() {
  if (kernel) return {};
  Descriptor fresh(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!fresh) return watch_error(errno);
  kernel.emplace(executor);
  asio::error_code error;
  kernel->assign(fresh.get(), error);
  if (error) {
    kernel.reset();
    return watch_error(error.value());
  }
  fresh.release();
  wait();
  return {};
}

void DirectoryWatcher::Shared::wait() {
  kernel->async_wait(asio::posix::stream_descriptor::wait_read,
                     [weak = weak_from_this()](const asio::error_code& error) {
                       auto self = weak.lock();
                       if (self && !error && self->kernel) self->deliver();
                     });
}

std::set<int> DirectoryWatcher::Shared::drain(bool& all) {
  alignas(inotify_event) std::array<char, 16384> buffer{};
  std::set<int> changed;
  while (true) {
    asio::error_code error;
    const ssize_t count = ::read(kernel->native_handle(), buffer.data(), buffer.size());
    if (count <= 0) return changed;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      if ((event.mask & IN_Q_OVERFLOW) != 0) all = true;
      if ((event.mask & IN_IGNORED) == 0) changed.insert(event.wd);
      at += sizeof event + event.len;
    }
  }
}

void DirectoryWatcher::Shared::deliver() {
  auto keep = shared_from_this();
  bool all = false;
  const std::set<int> changed = drain(all);
  std::vector<std::weak_ptr<Entry>> affected;
  for (const auto& entry : entries) {
    if (all || changed.count(entry->mark) != 0) affected.push_back(entry);
  }
  wait();
  for (const auto& weak : affected) {
    // A callback may destroy handles, also its own.
    if (auto entry = weak.lock()) entry->on_change();
  }
}

void DirectoryWatcher::Shared::remove(const std::shared_ptr<Entry>& entry) {
  entries.erase(std::remove(entries.begin(), entries.end(), entry), entries.end());
  if (!kernel) return;
  if (entries.empty()) {
    kernel.reset();  // or an idle loop would wait for it for ever
    return;
  }
  const bool shared = std::any_of(entries.begin(), entries.end(),
                                  [&](const auto& other) { return other->mark == entry->mark; });
  if (!shared) ::inotify_rm_watch(kernel->native_handle(), entry->mark);
}

DirectoryWatcher::DirectoryWatcher(const asio::any_io_executor& executor)
    : shared_(std::make_shared<Shared>(executor)) {}

DirectoryWatcher::~DirectoryWatcher() {
  shared_->entries.clear();
  shared_->kernel.reset();
}

Result<std::unique_ptr<DirectoryWatcher::Handle>> DirectoryWatcher::watch(
    int directory, std::function<void()> on_change) {
  struct Registration : Handle {
    std::shared_ptr<Shared> shared;
    std::shared_ptr<Entry> entry;
    ~Registration() override { shared->remove(entry); }
  };
  TRY_OK(shared_->start());
  // Through the descriptor, so that the directory checked by the caller is the one that is watched.
  const std::string path = "/proc/self/fd/" + std::to_string(directory);
  const int mark = ::inotify_add_watch(shared_->kernel->native_handle(), path.c_str(), kEvents);
  if (mark < 0) {
    const int error = errno;
    if (shared_->entries.empty()) shared_->kernel.reset();
    return watch_error(error);
  }
  auto handle = std::make_unique<Registration>();
  handle->shared = shared_;
  handle->entry = std::make_shared<Entry>(Entry{mark, std::move(on_change)});
  shared_->entries.push_back(handle->entry);
  return std::unique_ptr<Handle>(std::move(handle));
}

}  // namespace brainstorm
