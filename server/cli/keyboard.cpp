#include "server/cli/keyboard.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/read_until.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>

#include "commands/task.h"

namespace brainstorm::cli {
namespace {

constexpr std::size_t kLongestLine = 65536;

/// The terminal opened anew: waiting needs O_NONBLOCK, which on the inherited descriptor would
/// reach the shell that shares it.
int open_terminal() {
  if (::isatty(STDIN_FILENO) != 1) return -1;
  constexpr int flags = O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;
  std::array<char, 256> name{};
  if (::ttyname_r(STDIN_FILENO, name.data(), name.size()) == 0) {
    const int fd = ::open(name.data(), flags);
    if (fd >= 0) return fd;
  }
  return ::open("/proc/self/fd/0", flags);
}

}  // namespace

struct Keyboard::Impl {
  Impl(const asio::any_io_executor& executor, int fd) : stream(executor, fd) {}
  asio::posix::stream_descriptor stream;
  std::string buffer;
};

std::unique_ptr<Keyboard> Keyboard::open(const asio::any_io_executor& executor) {
  const int fd = open_terminal();
  if (fd < 0) return nullptr;
  return std::unique_ptr<Keyboard>(new Keyboard(std::make_unique<Impl>(executor, fd)));
}

Keyboard::Keyboard(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Keyboard::~Keyboard() = default;

Task<std::optional<std::string>> Keyboard::line() {
  auto buffer = asio::dynamic_buffer(impl_->buffer, kLongestLine);
  asio::error_code failed;
  auto token = asio::redirect_error(asio::use_awaitable, failed);
  const std::size_t length = co_await asio::async_read_until(impl_->stream, buffer, '\n', token);
  if (failed || length == 0) {
    impl_->buffer.clear();
    co_return std::nullopt;
  }
  std::string line = impl_->buffer.substr(0, length - 1);
  impl_->buffer.erase(0, length);
  co_return line;
}

void Keyboard::interrupt() { impl_->stream.cancel(); }

}  // namespace brainstorm::cli
