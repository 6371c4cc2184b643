#pragma once
// Requests of the client that are not answered yet, and the object that answers each exactly once.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "protocol/message.h"
#include "protocol/result.h"

namespace brainstorm {

class Requests;

/// The duty to answer one request. Whoever holds it last answers: an unanswered one that is
/// destroyed says -32603. Answers after a cancel by the client go nowhere, since -32800 was said.
class Reply {
 public:
  Reply(Reply&& other) noexcept = default;
  Reply& operator=(Reply&& other) noexcept;
  ~Reply();

  void result(Json value);
  void error(const Error& error);
  void error(ResponseError error);
  /// Called once when the client cancels, just before -32800 is sent: stop the work.
  void on_cancel(std::function<void()> stop);

 private:
  friend class Requests;
  struct Table;
  Reply(std::shared_ptr<Table> table, std::uint64_t serial)
      : table_(std::move(table)), serial_(serial) {}

  std::shared_ptr<Table> table_;  // null once answered or moved from
  std::uint64_t serial_ = 0;
};

class Requests {
 public:
  using Send = std::function<void(Json message)>;
  explicit Requests(Send send);
  ~Requests();
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  /// nullopt for an id that is still in use: it was answered with -32600.
  std::optional<Reply> open(Id id);
  /// An answer without a request that could be kept: id null, or refused by the lifecycle.
  void refuse(const Id& id, std::int64_t code, const std::string& message);
  /// $/cancelRequest: stops the work and answers -32800; an unknown id is ignored.
  void cancel(const Id& id);
  std::size_t open_count() const;

 private:
  std::shared_ptr<Reply::Table> table_;
};

}  // namespace brainstorm
