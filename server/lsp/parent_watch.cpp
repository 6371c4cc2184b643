#include "server/lsp/parent_watch.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <asio/any_io_executor.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <limits>
#include <utility>

namespace brainstorm {

struct ParentWatch::Impl {
  Impl(const asio::any_io_executor& executor, int descriptor) : process(executor, descriptor) {}
  asio::posix::stream_descriptor process;
};

ParentWatch::ParentWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ParentWatch::~ParentWatch() = default;

std::unique_ptr<ParentWatch> ParentWatch::start(const asio::any_io_executor& executor,
                                                std::int64_t process, std::function<void()> gone) {
  if (process <= 0 || process > std::numeric_limits<pid_t>::max()) return nullptr;
  // A descriptor of the process: unlike asking again and again, it costs nothing until the end.
  const long opened = ::syscall(SYS_pidfd_open, static_cast<pid_t>(process), 0);
  if (opened < 0) return nullptr;
  auto impl = std::make_unique<Impl>(executor, static_cast<int>(opened));
  impl->process.async_wait(asio::posix::stream_descriptor::wait_read,
                           [gone = std::move(gone)](const asio::error_code& error) {
                             if (!error) gone();
                           });
  return std::unique_ptr<ParentWatch>(new ParentWatch(std::move(impl)));
}

}  // namespace brainstorm
