#include "server/os/stdio.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/redirect_error.hpp>
#include <asio/system_error.hpp>
#include <asio/use_awaitable.hpp>
#include <cerrno>
#include <csignal>
#include <vector>

#include "server/os/descriptor.h"

namespace brainstorm {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

/// One of our two streams: the private descriptor and what to give back.
struct Stream {
  asio::posix::stream_descriptor descriptor;
  int number;  // 0 or 1
  int flags;   // of the open file, which others may share

  Stream(const asio::any_io_executor& executor, int own, int standard, int old_flags)
      : descriptor(executor, own), number(standard), flags(old_flags) {}
  ~Stream() {
    ::dup2(descriptor.native_handle(), number);
    asio::error_code ignored;
    descriptor.close(ignored);  // may change the flags once more
    ::fcntl(number, F_SETFL, flags);
  }
};

}  // namespace

struct Stdio::Impl {
  std::unique_ptr<Stream> in, out;
  std::vector<char> buffer = std::vector<char>(kReadBytes);
  bool reader_gone = false;
};

namespace {

Result<std::unique_ptr<Stream>> take(const asio::any_io_executor& executor, int number) {
  const char* name = number == 0 ? "stdin" : "stdout";
  const int flags = ::fcntl(number, F_GETFL);
  Descriptor own(::fcntl(number, F_DUPFD_CLOEXEC, 3));
  if (flags < 0 || !own) return os_error(errno, "use", name);
  try {
    auto stream = std::make_unique<Stream>(executor, own.get(), number, flags);
    own.release();
    asio::error_code error;
    stream->descriptor.native_non_blocking(true, error);
    if (error) return os_error(error.value(), "prepare", name);
    return stream;
  } catch (const asio::system_error& caught) {
    return os_error(caught.code().value(), "watch", name);
  }
}

/// What strangers get instead of our streams.
void divert() {
  Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (::fcntl(STDERR_FILENO, F_GETFD) < 0) ::dup2(nothing.get(), STDERR_FILENO);
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

[[noreturn]] void unwind_cancelled() { throw asio::system_error(asio::error::operation_aborted); }

Error reader_is_gone() {
  return Error{ErrorCode::io_failed, "the reader of stdout is gone", "Start the server again.", {}};
}

}  // namespace

Stdio::Stdio(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stdio::~Stdio() = default;

Result<std::unique_ptr<Stdio>> Stdio::open(const asio::any_io_executor& executor) {
  auto impl = std::make_unique<Impl>();
  TRY(impl->in, take(executor, STDIN_FILENO));
  TRY(impl->out, take(executor, STDOUT_FILENO));
  std::signal(SIGPIPE, SIG_IGN);
  divert();
  return std::unique_ptr<Stdio>(new Stdio(std::move(impl)));
}

Task<Result<std::string>> Stdio::read_some() {
  Impl& impl = *impl_;
  asio::error_code error;
  const auto space = asio::buffer(impl.buffer);
  const std::size_t count = co_await impl.in->descriptor.async_read_some(
      space, asio::redirect_error(asio::use_awaitable, error));
  if (error == asio::error::operation_aborted) unwind_cancelled();
  if (error && error != asio::error::eof) co_return os_error(error.value(), "read", "stdin");
  co_return std::string(impl.buffer.data(), count);
}

Result<std::size_t> Stdio::try_write(std::string_view bytes) {
  if (impl_->reader_gone) return reader_is_gone();
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(impl_->out->descriptor.native_handle(), bytes.data() + written,
                                  bytes.size() - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      if (errno == EPIPE || errno == ECONNRESET) {
        impl_->reader_gone = true;
        return reader_is_gone();
      }
      return os_error(errno, "write to", "stdout");
    }
  }
  return written;
}

Task<Result<void>> Stdio::wait_writable() {
  if (impl_->reader_gone) co_return reader_is_gone();
  asio::error_code error;
  co_await impl_->out->descriptor.async_wait(asio::posix::stream_descriptor::wait_write,
                                             asio::redirect_error(asio::use_awaitable, error));
  if (error == asio::error::operation_aborted) unwind_cancelled();
  // A regular file cannot be waited for and never needs to be.
  if (error && error != asio::error::operation_not_supported) {
    co_return os_error(error.value(), "wait for", "stdout");
  }
  co_return Ok();
}

void Stdio::cancel() {
  asio::error_code ignored;
  impl_->in->descriptor.cancel(ignored);
  impl_->out->descriptor.cancel(ignored);
}

}  // namespace brainstorm
