#include "server/lsp/requests.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace brainstorm {

struct Reply::Table {
  struct Open {
    Id id;
    std::function<void()> stop;
  };
  Requests::Send send;
  std::map<std::uint64_t, Open> open;
  std::map<Id, std::uint64_t> by_id;
  std::uint64_t last_serial = 0;

  /// The request, taken out of the table; nothing when it was cancelled.
  std::optional<Open> take(std::uint64_t serial) {
    const auto found = open.find(serial);
    if (found == open.end()) return std::nullopt;
    Open taken = std::move(found->second);
    open.erase(found);
    const auto named = by_id.find(taken.id);
    if (named != by_id.end() && named->second == serial) by_id.erase(named);
    return taken;
  }
};

Reply& Reply::operator=(Reply&& other) noexcept {
  std::swap(table_, other.table_);
  std::swap(serial_, other.serial_);
  return *this;
}

Reply::~Reply() {
  if (table_) error(ResponseError{rpc::kInternalError, "the request ended without an answer", {}});
}

void Reply::result(Json value) {
  const auto table = std::exchange(table_, nullptr);
  if (!table) return;
  if (auto open = table->take(serial_)) table->send(result_message(open->id, std::move(value)));
}

void Reply::error(const Error& failure) { error(response_error(failure)); }

void Reply::error(ResponseError failure) {
  const auto table = std::exchange(table_, nullptr);
  if (!table) return;
  if (auto open = table->take(serial_)) table->send(error_message(open->id, std::move(failure)));
}

void Reply::on_cancel(std::function<void()> stop) {
  if (!table_) return;
  const auto found = table_->open.find(serial_);
  if (found != table_->open.end()) found->second.stop = std::move(stop);
}

Requests::Requests(Send send) : table_(std::make_shared<Reply::Table>()) {
  table_->send = std::move(send);
}

Requests::~Requests() {
  // Replies may live on in work that is being torn down: there is nobody to answer any more.
  table_->send = [](const Json&) {};
  table_->by_id.clear();
  // What stops work may hold the Reply itself.
  const auto open = std::exchange(table_->open, {});
}

std::optional<Reply> Requests::open(Id id) {
  const bool named = !std::holds_alternative<std::monostate>(id);
  if (named && table_->by_id.contains(id)) {
    refuse(id, rpc::kInvalidRequest, "a request with this id is still being worked on");
    return std::nullopt;
  }
  const std::uint64_t serial = ++table_->last_serial;
  if (named) table_->by_id.emplace(id, serial);
  table_->open.emplace(serial, Reply::Table::Open{std::move(id), nullptr});
  return Reply(table_, serial);
}

void Requests::refuse(const Id& id, std::int64_t code, const std::string& message) {
  table_->send(error_message(id, ResponseError{code, message, {}}));
}

void Requests::cancel(const Id& id) {
  const auto found = table_->by_id.find(id);
  if (found == table_->by_id.end()) return;
  auto open = table_->take(found->second);
  if (!open) return;
  if (open->stop) open->stop();
  refuse(open->id, rpc::kRequestCancelled, "cancelled by the client");
}

std::size_t Requests::open_count() const { return table_->open.size(); }

}  // namespace brainstorm
