#include "server/lsp/stderr_log.h"

#include <poll.h>
#include <unistd.h>

#include <string>

#include "protocol/text.h"

namespace brainstorm {
namespace {

/// A pipe that polls as writable takes this much without waiting (PIPE_BUF).
constexpr std::size_t kLine = 4096;

}  // namespace

void stderr_log(std::string_view text) {
  pollfd descriptor{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&descriptor, 1, 0) != 1 || (descriptor.revents & POLLOUT) == 0) return;
  std::string line = "brainstorm-ls: ";
  line += text::one_line(text.substr(0, kLine / 2));
  if (line.size() >= kLine) line.resize(kLine - 1);
  line += '\n';
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace brainstorm
