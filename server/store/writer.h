#pragma once
// Files that are there whole or not at all.

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "commands/ports.h"
#include "server/store/sync_thread.h"
#include "server/store/tree.h"

namespace brainstorm {

class Writer {
 public:
  Writer(const asio::any_io_executor& executor, Clock& clock, SyncThread& sync)
      : executor_(executor), clock_(clock), sync_(sync) {}

  /// Temporary file, check, fsync when `synced`, rename, fsync of the directory. Calls for one path
  /// take effect in the order in which they were made. `backup` keeps the previous file, when that
  /// can be parsed, as kBackupName. On failure the previous file stands and nothing is left over.
  /// Deaf to cancellation.
  Task<Result<void>> write(Tree::Place place, std::string bytes, Durability durability,
                           bool backup);
  /// fsync of a file that was appended to; a missing one is fine.
  Task<Result<void>> sync_file(Tree::Place place);

 private:
  struct Queue;
  class Turn;
  Task<Result<void>> replace(const Tree::Place& place, const std::string& bytes,
                             Durability durability, bool backup);
  Task<Result<void>> sync(int descriptor, const std::string& shown);
  Ok keep_backup(const Tree::Place& place);
  bool is_sound(const Tree::Place& place);
  /// What tells one content of a path from the next without reading it.
  using Version = std::tuple<dev_t, ino_t, off_t, time_t, long>;
  static Version version(const struct stat& info);

  asio::any_io_executor executor_;
  Clock& clock_;
  SyncThread& sync_;
  std::map<std::string, std::shared_ptr<Queue>> queues_;  // by path
  std::map<std::string, Version> sound_;                  // states known to be whole, by path
};

}  // namespace brainstorm
