#pragma once
// Tells when entries of a directory appear, change or go.

#include <functional>
#include <memory>

#include "protocol/result.h"

namespace asio {
class any_io_executor;
}

namespace brainstorm {

/// Many directories, one kernel object (a person may have only 128 of those). On the loop.
class DirectoryWatcher {
 public:
  explicit DirectoryWatcher(const asio::any_io_executor& executor);
  ~DirectoryWatcher();
  DirectoryWatcher(const DirectoryWatcher&) = delete;
  DirectoryWatcher& operator=(const DirectoryWatcher&) = delete;

  /// Watching ends when it is destroyed; it may outlive the watcher.
  class Handle {
   public:
    virtual ~Handle() = default;
  };
  /// `on_change` runs on the loop after each burst of changes in the directory that `directory` (an
  /// open descriptor; needed only during the call) stands for. It may destroy the handle.
  Result<std::unique_ptr<Handle>> watch(int directory, std::function<void()> on_change);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace brainstorm
