#pragma once
// The base protocol of LSP: `Content-Length: N`, an empty line, N bytes of JSON. Pure: bytes in,
// events out, so that every split of a stream can be tested without a pipe.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace brainstorm {

/// Header and body in one buffer, with the length counted on the very bytes that are sent.
std::string frame(std::string_view body);

struct FrameEvent {
  enum class Kind {
    body,      // text: the bytes of one message, not yet decoded
    warning,   // text: what was odd and skipped or tolerated; at most one between two messages
    oversize,  // the body is skipped: answer -32600 with id null; text: why
    fatal,     // the stream cannot be resynchronised: answer -32600 with id null, log, exit 1
  };
  Kind kind = Kind::body;
  std::string text;
  bool operator==(const FrameEvent&) const = default;
};

/// Splits a byte stream into messages. Memory grows with what has arrived, never with a length that
/// was only announced. After a fatal event everything fed is ignored.
class Framer {
 public:
  static constexpr std::size_t kMaxBody = std::size_t{64} << 20;  // default of limits.messageBytes
  static constexpr std::size_t kMaxSkipped = std::size_t{1} << 30;  // above: fatal
  static constexpr std::size_t kMaxHeader = std::size_t{8} << 10;   // bytes of one header block

  /// A body over `max_body` bytes is skipped.
  explicit Framer(std::size_t max_body = kMaxBody) : max_body_(max_body) {}
  /// Holds for every message whose header has not ended yet.
  void set_max_body(std::size_t max_body) { max_body_ = max_body; }

  void feed(std::string_view bytes);
  /// The next event in the order of the stream, or nothing until more is fed.
  std::optional<FrameEvent> next();
  /// Nothing half-read: an end of input here loses no message.
  bool at_boundary() const;

 private:
  enum class State { header, body, skipping, dead };

  std::string_view feed_header(std::string_view bytes);
  std::string_view feed_body(std::string_view bytes);
  void end_line();
  void end_header();
  void header_field(std::string_view name, std::string_view value);
  void end_body();
  void emit(FrameEvent::Kind kind, std::string text);
  void warn(std::string text);
  void fail(std::string text);

  std::size_t max_body_;
  State state_ = State::header;
  std::string line_;                   // of the header, without its end
  std::size_t header_bytes_ = 0;       // of the block that is being read
  std::optional<std::size_t> length_;  // announced by the block that is being read
  std::size_t remaining_ = 0;          // bytes of the body still to come
  std::string body_;
  bool warned_ = false;
  std::deque<FrameEvent> events_;
};

}  // namespace brainstorm
