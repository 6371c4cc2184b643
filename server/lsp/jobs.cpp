#include "server/lsp/jobs.h"

#include <string>
#include <utility>

#include "server/lsp/stderr_log.h"

namespace brainstorm {

Jobs::Jobs(const asio::any_io_executor& executor) : executor_(executor), ended_(executor) {}

Jobs::~Jobs() = default;

std::uint64_t Jobs::spawn(Task<void> task) {
  const std::uint64_t serial = ++last_;
  // A local owner: the job may end, and leave the table, before it is assigned.
  const auto job = std::make_shared<Job>();
  jobs_[serial] = job;
  auto ended = [this, serial](Background::End end, const std::string& what) {
    if (end == Background::End::crashed) stderr_log("a request crashed: " + what);
    jobs_.erase(serial);
    ended_.set();
  };
  job->background = std::make_unique<Background>(executor_, std::move(task), std::move(ended));
  return serial;
}

void Jobs::cancel(std::uint64_t serial) {
  const auto found = jobs_.find(serial);
  if (found == jobs_.end()) return;
  const auto job = found->second;
  if (job->background) job->background->cancel();
}

Task<void> Jobs::stop() {
  const auto running = jobs_;
  for (const auto& [serial, job] : running) job->background->cancel();
  while (!jobs_.empty()) {
    ended_.reset();
    co_await ended_.wait();
  }
}

}  // namespace brainstorm
