#include "server/store/sync_thread.h"

#include <unistd.h>

#include <asio/awaitable.hpp>
#include <asio/post.hpp>
#include <asio/this_coro.hpp>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "commands/task.h"

namespace brainstorm {
namespace {

struct Job {
  Job(const asio::any_io_executor& on, int file) : executor(on), descriptor(file), done(on) {}
  asio::any_io_executor executor;
  int descriptor;
  int error = 0;
  Signal done;  // touched on the loop only
};

}  // namespace

struct SyncThread::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Job>> jobs;
  bool stopping = false;
  std::thread thread;

  void run() {
    std::unique_lock guard(mutex);
    while (true) {
      changed.wait(guard, [&] { return stopping || !jobs.empty(); });
      if (jobs.empty()) return;
      auto job = std::move(jobs.front());
      jobs.pop_front();
      guard.unlock();
      job->error = ::fsync(job->descriptor) == 0 ? 0 : errno;
      // The Signal belongs to the loop: hand it back with the last reference that we hold.
      auto executor = job->executor;
      asio::post(executor, [done = std::move(job)] { done->done.set(); });
      guard.lock();
    }
  }
};

SyncThread::SyncThread() : shared_(std::make_unique<Shared>()) {}

SyncThread::~SyncThread() {
  {
    const std::lock_guard guard(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->changed.notify_all();
  if (shared_->thread.joinable()) shared_->thread.join();
}

Task<int> SyncThread::sync(int descriptor) {
  auto executor = co_await asio::this_coro::executor;
  auto job = std::make_shared<Job>(executor, descriptor);
  {
    const std::lock_guard guard(shared_->mutex);
    if (!shared_->thread.joinable()) {
      shared_->thread = std::thread([shared = shared_.get()] { shared->run(); });
    }
    shared_->jobs.push_back(job);
  }
  shared_->changed.notify_one();
  co_await job->done.wait_uncancelled();
  co_return job->error;
}

}  // namespace brainstorm
