#include "server/cli/output.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "protocol/brainstorm.h"
#include "protocol/text.h"

namespace brainstorm::cli {
namespace {

/// False when nobody reads any more.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool moves_cursor() {
  const char* term = std::getenv("TERM");
  return term && *term != '\0' && std::string_view(term) != "dumb";
}

}  // namespace

Output::Output(bool json) : json_(json) {
  const bool terminals = ::isatty(STDOUT_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
  live_ = terminals && !json && moves_cursor();
  const char* no_colour = std::getenv("NO_COLOR");
  colours_ = live_ && !(no_colour && *no_colour != '\0');
}

std::size_t Output::width() const {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

void Output::result(std::string_view text) {
  if (json_ || closed_) return;
  auto shown = text::printable(text::repair_utf8(text));
  if (!shown.ends_with('\n')) shown += '\n';
  closed_ = !write_all(STDOUT_FILENO, shown);
}

void Output::say(std::string_view line) {
  write_all(STDERR_FILENO, text::printable(text::repair_utf8(line)) + "\n");
}

void Output::draw(std::string_view bytes) { write_all(STDERR_FILENO, bytes); }

void Output::event(std::string_view name, const Json& fields) {
  if (!json_ || closed_) return;
  Json event = fields.is_object() ? fields : Json::object();
  event["event"] = std::string(name);
  closed_ = !write_all(STDOUT_FILENO, json::dump(event) + "\n");
}

void Output::error(const Error& error) {
  if (json_) {
    Json fields = to_json(error);
    fields["message"] = error.message;
    event("error", fields);
  }
  say("brainstorm-ls: " + error.message);
  if (!error.hint.empty()) say("  " + error.hint);
}

}  // namespace brainstorm::cli
