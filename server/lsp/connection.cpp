#include "server/lsp/connection.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json.h"
#include "server/lsp/stderr_log.h"
#include "server/lsp/watchdog.h"

namespace brainstorm {

Connection::Connection(const asio::any_io_executor& executor, Stdio& stdio)
    : executor_(executor),
      stdio_(stdio),
      outbox_([this](std::string_view bytes) { return stdio_.try_write(bytes); },
              [this] {
                drained_.reset();
                blocked_.set();
              }),
      blocked_(executor),
      drained_(executor) {
  drained_.set();
}

Connection::~Connection() = default;

void Connection::start(OnMessage on_message, OnEnd on_end) {
  on_message_ = std::move(on_message);
  on_end_ = std::move(on_end);
  reading_ = true;
  const auto crashed = [this](Background::End how, const std::string& what) {
    if (how == Background::End::crashed) end("the connection broke: " + what);
  };
  reader_ = std::make_unique<Background>(executor_, read(), crashed);
  writer_ = std::make_unique<Background>(executor_, write(), crashed);
}

void Connection::stop_reading() {
  reading_ = false;
  if (reader_) reader_->cancel();
}

void Connection::send(const Json& message, Keep keep, const std::string& key) {
  outbox_.push(frame(json::dump(message)), keep, key);
  if (outbox_.broken()) end("nobody reads our output any more");
}

Task<void> Connection::drain() {
  while (!outbox_.empty() && !outbox_.broken()) co_await drained_.wait();
}

Task<void> Connection::read() {
  while (reading_) {
    const auto bytes = co_await stdio_.read_some();
    if (!bytes) {
      end(bytes.error().message);
    } else if (bytes->empty()) {
      end("the input ended");
    } else {
      take(*bytes);
    }
  }
}

/// Runs only while the pipe is full; most frames are written directly by send().
Task<void> Connection::write() {
  while (!outbox_.broken()) {
    co_await blocked_.wait();
    blocked_.reset();
    const auto writable = co_await stdio_.wait_writable();
    if (writable) outbox_.flush();
    if (!writable || outbox_.broken()) break;
    if (outbox_.empty()) drained_.set();
  }
  drained_.set();
  end("nobody reads our output any more");
}

void Connection::take(std::string_view bytes) {
  // What one read brought is answered with one write.
  outbox_.hold();
  framer_.feed(bytes);
  while (reading_) {
    const auto event = framer_.next();
    if (!event) break;
    handle(*event);
  }
  outbox_.release();
}

void Connection::handle(const FrameEvent& event) {
  switch (event.kind) {
    case FrameEvent::Kind::body:
      return handle_body(event.text);
    case FrameEvent::Kind::warning:
      return stderr_log(event.text);
    case FrameEvent::Kind::oversize:
      return refuse(rpc::kInvalidRequest, event.text);
    case FrameEvent::Kind::fatal:
      refuse(rpc::kInvalidRequest, event.text);
      return end(event.text);
  }
}

void Connection::handle_body(const std::string& body) {
  auto parsed = json::parse(body);
  if (!parsed) return refuse(rpc::kParseError, parsed.error().message);
  Message message = classify(*std::move(parsed));
  if (const auto* invalid = std::get_if<Invalid>(&message)) {
    stderr_log(invalid->reason);
    return send(error_message(invalid->id, {rpc::kInvalidRequest, invalid->reason, {}}));
  }
  on_message_(std::move(message));
}

void Connection::refuse(std::int64_t code, const std::string& why) {
  stderr_log(why);
  send(error_message(Id(), {code, why, {}}));
}

void Connection::end(const std::string& why) {
  reading_ = false;
  if (const auto on_end = std::exchange(on_end_, nullptr)) on_end(why);
}

}  // namespace brainstorm
