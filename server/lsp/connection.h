#pragma once
// Bytes in, messages out, and the other way round. Knows JSON-RPC, not what methods mean.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "commands/task.h"
#include "protocol/framing.h"
#include "protocol/message.h"
#include "server/lsp/outbox.h"
#include "server/os/stdio.h"

namespace brainstorm {

class Connection {
 public:
  using OnMessage = std::function<void(Message message)>;
  /// The stream ended or broke; called at most once.
  using OnEnd = std::function<void(const std::string& why)>;

  Connection(const asio::any_io_executor& executor, Stdio& stdio);
  ~Connection();

  /// Nothing is read before. Both are called on the loop.
  void start(OnMessage on_message, OnEnd on_end);
  void stop_reading();
  /// Of the messages that follow.
  void limit_bodies(std::size_t bytes) { framer_.set_max_body(bytes); }

  void send(const Json& message, Keep keep = Keep::always, const std::string& key = {});
  /// Returns when everything was written, or nobody reads any more.
  Task<void> drain();

 private:
  Task<void> read();
  Task<void> write();
  void take(std::string_view bytes);
  void handle(const FrameEvent& event);
  void handle_body(const std::string& body);
  void refuse(std::int64_t code, const std::string& why);
  void end(const std::string& why);

  asio::any_io_executor executor_;
  Stdio& stdio_;
  Framer framer_;
  Outbox outbox_;
  OnMessage on_message_;
  OnEnd on_end_;
  bool reading_ = false;
  std::unique_ptr<Background> reader_;
  std::unique_ptr<Background> writer_;
  Signal blocked_;  // the outbox waits for room
  Signal drained_;
};

}  // namespace brainstorm
