#include "server/store/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "commands/task.h"
#include "server/store/yaml.h"

namespace brainstorm {

/// Those who want to write one path, in the order in which they came.
struct Writer::Queue {
  explicit Queue(const asio::any_io_executor& executor) : changed(executor) {}
  Signal changed;
  std::uint64_t next = 0;
  std::uint64_t serving = 0;
};

class Writer::Turn {
 public:
  Turn(Writer& writer, const std::string& path) : writer_(writer), path_(path) {
    auto& queue = writer.queues_[path];
    if (!queue) queue = std::make_shared<Queue>(writer.executor_);
    queue_ = queue;
    number_ = queue_->next++;
  }
  ~Turn() {
    ++queue_->serving;
    queue_->changed.set();
    if (queue_->serving == queue_->next) writer_.queues_.erase(path_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  Task<void> wait() {
    while (queue_->serving != number_) {
      queue_->changed.reset();
      co_await queue_->changed.wake();
    }
  }

 private:
  Writer& writer_;
  std::string path_;
  std::shared_ptr<Queue> queue_;
  std::uint64_t number_ = 0;
};

Task<Result<void>> Writer::write(Tree::Place place, std::string bytes, Durability durability,
                                 bool backup) {
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  Result<void> result;
  {
    Turn turn(*this, place.shown);
    co_await turn.wait();
    result = co_await replace(place, bytes, durability, backup);
  }
  co_await asio::this_coro::throw_if_cancelled(throws);
  co_return result;
}

Task<Result<void>> Writer::replace(const Tree::Place& place, const std::string& bytes,
                                   Durability durability, bool backup) {
  const int directory = place.directory.get();
  files::Temporary temporary(directory, files::temporary_name(place.leaf, clock_.random()));
  auto opened =
      files::open_file(directory, temporary.name(), O_WRONLY | O_CREAT | O_EXCL, place.shown);
  CO_TRY(Descriptor file, std::move(opened));
  CO_TRY_OK(files::write_all(file.get(), bytes, place.shown));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) co_return os_error(errno, "look at", place.shown);
  if (info.st_size != static_cast<off_t>(bytes.size())) {
    co_return os_error(EIO, "write the whole of", place.shown);
  }
  const bool synced = durability == Durability::synced;
  if (synced) {
    auto done = co_await sync(file.get(), place.shown);
    CO_TRY_OK(std::move(done));
  }
  if (backup) CO_TRY_OK(keep_backup(place));
  if (::renameat(directory, temporary.name().c_str(), directory, place.leaf.c_str()) != 0) {
    co_return os_error(errno, "replace", place.shown);
  }
  temporary.keep();
  if (backup) sound_[place.shown] = version(info);
  if (synced) {
    auto done = co_await sync(directory, place.shown);
    CO_TRY_OK(std::move(done));
  }
  co_return Ok();
}

Task<Result<void>> Writer::sync(int descriptor, const std::string& shown) {
  const int error = co_await sync_.sync(descriptor);
  // Some file systems cannot sync a directory and need not.
  if (error != 0 && error != EINVAL) co_return os_error(error, "write to the disk", shown);
  co_return Ok();
}

Task<Result<void>> Writer::sync_file(Tree::Place place) {
  auto opened = files::open_file(place.directory.get(), place.leaf, O_RDONLY, place.shown);
  if (!opened) co_return Ok();
  const Descriptor file = *std::move(opened);
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  auto result = co_await sync(file.get(), place.shown);
  co_await asio::this_coro::throw_if_cancelled(throws);
  co_return result;
}

Writer::Version Writer::version(const struct stat& info) {
  return {info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

bool Writer::is_sound(const Tree::Place& place) {
  struct stat info {};
  if (::fstatat(place.directory.get(), place.leaf.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  const auto known = sound_.find(place.shown);
  if (known != sound_.end() && known->second == version(info)) return true;
  auto bytes = files::read_file(place.directory.get(), place.leaf, kMaxYamlBytes, place.shown);
  if (!bytes) return false;
  auto parsed = read_yaml(*bytes, place.leaf);
  return parsed && parsed->is_object();
}

Ok Writer::keep_backup(const Tree::Place& place) {
  // A broken file must not take the place of the good copy.
  if (!is_sound(place)) return {};
  const int directory = place.directory.get();
  const files::Temporary link(directory, files::temporary_name(kBackupName, clock_.random()));
  if (::linkat(directory, place.leaf.c_str(), directory, link.name().c_str(), 0) != 0) {
    // No hard links here: a state without a copy beside it is better than none.
    if (errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK) return {};
    return os_error(errno, "keep a copy of", place.shown);
  }
  // Does nothing when both are one file already; the temporary name goes in any case.
  if (::renameat(directory, link.name().c_str(), directory, kBackupName.c_str()) != 0) {
    return os_error(errno, "keep a copy of", place.shown);
  }
  return {};
}

}  // namespace brainstorm
