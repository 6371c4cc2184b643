#pragma once
// The only other thread: it does fsync and nothing else, so that a slow disk never stalls the loop.

#include <asio/any_io_executor.hpp>
#include <functional>
#include <memory>

#include "commands/task_fwd.h"

namespace brainstorm {

/// One per process, shared by every store; destroyed before the io_context. The thread starts with
/// the first job and ends with the object, after the jobs that were given to it.
class SyncThread {
 public:
  SyncThread();
  ~SyncThread();
  SyncThread(const SyncThread&) = delete;
  SyncThread& operator=(const SyncThread&) = delete;

  /// fsync of a descriptor; 0 or errno. Not cancellable: once begun it ends. `descriptor` stays
  /// open until then.
  Task<int> sync(int descriptor);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace brainstorm
