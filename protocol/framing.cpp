#include "protocol/framing.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "protocol/text.h"

namespace brainstorm {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_header(std::string_view name, std::string_view wanted) {
  return name.size() == wanted.size() && text::starts_with_ci(name, wanted);
}

/// Digits only; nullopt also for what does not fit, which is more than we would ever skip.
std::optional<std::size_t> parse_length(std::string_view digits) {
  std::uint64_t length = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), end, length);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return static_cast<std::size_t>(length);
}

/// Header lines are untrusted and end in a log.
std::string quoted(std::string_view line) {
  return "\"" + text::shorten(text::one_line(text::repair_utf8(line)), 60) + "\"";
}

}  // namespace

std::string frame(std::string_view body) {
  std::string framed = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  framed += body;
  return framed;
}

void Framer::feed(std::string_view bytes) {
  while (!bytes.empty() && state_ != State::dead) {
    if (state_ == State::header) {
      bytes = feed_header(bytes);
    } else {
      bytes = feed_body(bytes);
    }
  }
}

std::optional<FrameEvent> Framer::next() {
  if (events_.empty()) return std::nullopt;
  FrameEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

bool Framer::at_boundary() const { return state_ == State::header && header_bytes_ == 0; }

/// Takes at most one line and returns what follows it.
std::string_view Framer::feed_header(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t room = kMaxHeader - header_bytes_;
  const std::size_t taken = end == std::string_view::npos ? bytes.size() : end + 1;
  if (taken > room) {
    fail("A message header is longer than " + std::to_string(kMaxHeader) + " bytes.");
    return {};
  }
  header_bytes_ += taken;
  line_ += bytes.substr(0, std::min(end, bytes.size()));
  if (end != std::string_view::npos) end_line();
  return bytes.substr(taken);
}

void Framer::end_line() {
  const std::string line = std::exchange(line_, {});
  std::string_view rest = line;
  if (rest.empty() || rest.back() != '\r') warn("A header line ends in LF instead of CR LF.");
  // A stream in text mode turns CR LF into CR CR LF.
  while (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  if (rest.empty()) return end_header();
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos)
    return warn("Skipped a line that is no header: " + quoted(rest));
  header_field(without_blanks(rest.substr(0, colon)), without_blanks(rest.substr(colon + 1)));
}

void Framer::header_field(std::string_view name, std::string_view value) {
  if (is_header(name, "Content-Type")) return;
  if (!is_header(name, "Content-Length")) return warn("Skipped an unknown header: " + quoted(name));
  length_ = parse_length(value);
  if (!length_ || *length_ > std::max(kMaxSkipped, max_body_)) {
    fail("Content-Length is " + quoted(value) + ", which cannot be skipped.");
  }
}

void Framer::end_header() {
  header_bytes_ = 0;
  if (!length_) return warn("Skipped an empty line where a header was expected.");
  remaining_ = *std::exchange(length_, std::nullopt);
  if (remaining_ <= max_body_) {
    state_ = State::body;
  } else {
    state_ = State::skipping;
    emit(FrameEvent::Kind::oversize, "A message of " + std::to_string(remaining_) +
                                         " bytes is over the limit of " +
                                         std::to_string(max_body_) + " and was skipped.");
  }
  if (remaining_ == 0) end_body();
}

std::string_view Framer::feed_body(std::string_view bytes) {
  const std::size_t taken = std::min(remaining_, bytes.size());
  if (state_ == State::body) body_ += bytes.substr(0, taken);
  remaining_ -= taken;
  if (remaining_ == 0) end_body();
  return bytes.substr(taken);
}

void Framer::end_body() {
  if (state_ == State::body) emit(FrameEvent::Kind::body, std::exchange(body_, {}));
  state_ = State::header;
  warned_ = false;
}

void Framer::emit(FrameEvent::Kind kind, std::string text) {
  events_.push_back(FrameEvent{kind, std::move(text)});
}

void Framer::warn(std::string text) {
  // One is enough for a log: junk may come by the megabyte.
  if (!std::exchange(warned_, true)) emit(FrameEvent::Kind::warning, std::move(text));
}

void Framer::fail(std::string text) {
  emit(FrameEvent::Kind::fatal, std::move(text));
  state_ = State::dead;
  line_.clear();
}

}  // namespace brainstorm
