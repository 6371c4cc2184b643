#include "server/lsp/outgoing.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "server/lsp/stderr_log.h"

namespace brainstorm {
namespace {

/// Requests whose answers we still know what to do with. A client that never answers makes the
/// oldest ones forgotten, so that its silence does not cost memory.
constexpr std::size_t kMaxWaiting = 1000;

}  // namespace

Client::Client(Send send) : send_(std::move(send)) {}

void Client::ready() {
  ready_ = true;
  for (auto& spoken : std::exchange(unsaid_, {})) {
    send_(std::move(spoken.message), spoken.keep, spoken.key);
  }
}

void Client::say(Json message, Keep keep, const std::string& key) {
  if (ready_) return send_(std::move(message), keep, key);
  unsaid_.push_back({std::move(message), keep, key});
}

void Client::notify(std::string_view method, Json params, Keep keep, const std::string& key) {
  say(notification_message(method, std::move(params)), keep, key);
}

std::int64_t Client::request(std::string_view method, Json params, OnAnswer on_answer) {
  const std::int64_t id = ++last_id_;
  if (waiting_.size() >= kMaxWaiting) waiting_.erase(waiting_.begin());
  waiting_[id] = Waiting{std::string(method), std::move(on_answer)};
  say(request_message(Id(id), method, std::move(params)), Keep::always, {});
  return id;
}

void Client::withdraw(std::int64_t id) {
  const auto found = waiting_.find(id);
  if (found == waiting_.end() || !found->second.on_answer) return;
  found->second.on_answer = nullptr;
  notify("$/cancelRequest", Json::object({{"id", id}}));
}

void Client::forget(std::int64_t id) { waiting_.erase(id); }

void Client::answered(const Response& response) {
  const auto* id = std::get_if<std::int64_t>(&response.id);
  const auto found = id == nullptr ? waiting_.end() : waiting_.find(*id);
  if (found == waiting_.end()) {
    stderr_log("an answer to no request of ours was ignored");
    return;
  }
  const Waiting waiting = std::move(found->second);
  waiting_.erase(found);
  if (waiting.on_answer) {
    waiting.on_answer(response);
  } else if (!response.error) {
    log(lsp::MessageType::log,
        "A late answer to " + waiting.method + " changed nothing: it was settled elsewhere.");
  }
}

void Client::show(lsp::MessageType type, std::string_view text) {
  notify("window/showMessage", lsp::message_params(type, text));
}

void Client::log(lsp::MessageType type, std::string_view text) {
  notify("window/logMessage", lsp::message_params(type, text), Keep::loosely);
}

void Client::trace_message(const std::string& text) {
  if (trace == lsp::Trace::off) return;
  notify("$/logTrace", Json::object({{"message", text}}), Keep::loosely);
}

}  // namespace brainstorm
