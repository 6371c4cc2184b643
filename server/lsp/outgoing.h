#pragma once
// What we say to the client unasked: notifications, and requests with their answers. Nothing is
// said before the client is ready, and nothing here waits: an answer comes as a call, or never.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "protocol/lsp.h"
#include "protocol/message.h"
#include "server/lsp/outbox.h"

namespace brainstorm {

/// The other end of the connection.
class Client {
 public:
  using Send = std::function<void(Json message, Keep keep, const std::string& key)>;
  /// The result (maybe null), or the error that the client sent.
  using OnAnswer = std::function<void(const Response& response)>;

  explicit Client(Send send);

  /// What it declared; a feature that it then refuses with -32601 is switched off here.
  lsp::ClientFeatures features;
  lsp::Trace trace = lsp::Trace::off;

  /// Lets out what was said so far.
  void ready();

  void notify(std::string_view method, Json params, Keep keep = Keep::always,
              const std::string& key = {});
  /// The id is an integer. Answers may never come: keep what waits for one elsewhere.
  std::int64_t request(std::string_view method, Json params, OnAnswer on_answer);
  /// The answer is not wanted any more: `$/cancelRequest` is sent; a late answer is only logged.
  void withdraw(std::int64_t id);
  /// The same without telling the client, for requests that it may still obey.
  void forget(std::int64_t id);
  void answered(const Response& response);
  std::size_t waiting() const { return waiting_.size(); }

  void show(lsp::MessageType type, std::string_view text);
  void log(lsp::MessageType type, std::string_view text);
  /// `$/logTrace`, when the client wants traces.
  void trace_message(const std::string& text);

 private:
  struct Spoken {
    Json message;
    Keep keep;
    std::string key;
  };
  struct Waiting {
    std::string method;
    OnAnswer on_answer;  // null: withdrawn
  };
  void say(Json message, Keep keep, const std::string& key);

  Send send_;
  bool ready_ = false;
  std::deque<Spoken> unsaid_;
  std::map<std::int64_t, Waiting> waiting_;
  std::int64_t last_id_ = 0;
};

}  // namespace brainstorm
