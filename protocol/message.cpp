#include "protocol/message.h"

#include <limits>
#include <utility>

#include "protocol/brainstorm.h"

namespace brainstorm {
namespace {

Json envelope() { return Json::object({{"jsonrpc", "2.0"}}); }

/// Handlers of methods without parameters see one shape, whatever the client wrote for "none".
Json take_params(Json& message) {
  const auto params = message.find("params");
  if (params == message.end()) return Json::object();
  if (params->is_null() || (params->is_array() && params->empty())) return Json::object();
  return std::move(*params);
}

ResponseError take_error(Json& error) {
  ResponseError taken;
  taken.code = json::integer_or(error, "code", 0);
  taken.message = json::text_or(error, "message");
  if (error.is_object() && error.contains("data")) taken.data = std::move(error["data"]);
  return taken;
}

Message classify_call(Json& message, const std::optional<Id>& id) {
  Json& method = message["method"];
  if (!method.is_string()) return Invalid{id.value_or(Id()), "\"method\" is not a string."};
  std::string name = method.get<std::string>();
  if (!message.contains("id")) return Notification{std::move(name), take_params(message)};
  if (!id) return Invalid{Id(), "\"id\" is neither an integer nor a string."};
  return Request{*id, std::move(name), take_params(message)};
}

Message classify_answer(Json& message, const std::optional<Id>& id) {
  const bool failed = message.contains("error") && !message["error"].is_null();
  if (!failed && !message.contains("result")) {
    return Invalid{id.value_or(Id()), "A message needs \"method\", \"result\" or \"error\"."};
  }
  if (!id) return Invalid{Id(), "\"id\" is neither an integer nor a string."};
  if (failed) return Response{*id, nullptr, take_error(message["error"])};
  return Response{*id, std::move(message["result"]), std::nullopt};
}

}  // namespace

Json to_json(const Id& id) {
  if (const auto* number = std::get_if<std::int64_t>(&id)) return *number;
  if (const auto* text = std::get_if<std::string>(&id)) return *text;
  return nullptr;
}

std::optional<Id> id_from_json(const Json& value) {
  if (value.is_null()) return Id();
  if (value.is_string()) return Id(value.get_ref<const std::string&>());
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::nullopt;
    return Id(static_cast<std::int64_t>(number));
  }
  if (value.is_number_integer()) return Id(value.get<std::int64_t>());
  return std::nullopt;
}

Message classify(Json message) {
  if (message.is_array()) return Invalid{Id(), "Batches are not part of this protocol."};
  if (!message.is_object()) return Invalid{Id(), "A message must be an object."};
  const auto id = message.contains("id") ? id_from_json(message["id"]) : std::optional<Id>();
  if (message.contains("method")) return classify_call(message, id);
  return classify_answer(message, id);
}

Json request_message(const Id& id, std::string_view method, Json params) {
  Json message = notification_message(method, std::move(params));
  message["id"] = to_json(id);
  return message;
}

Json notification_message(std::string_view method, Json params) {
  Json message = envelope();
  message["method"] = method;
  if (!params.is_null()) message["params"] = std::move(params);
  return message;
}

Json result_message(const Id& id, Json result) {
  Json message = envelope();
  message["id"] = to_json(id);
  message["result"] = std::move(result);
  return message;
}

Json error_message(const Id& id, ResponseError error) {
  Json body = Json::object({{"code", error.code}, {"message", std::move(error.message)}});
  if (!error.data.is_null()) body["data"] = std::move(error.data);
  Json message = envelope();
  message["id"] = to_json(id);
  message["error"] = std::move(body);
  return message;
}

ResponseError response_error(const Error& error) {
  std::int64_t code = rpc::kRequestFailed;
  if (error.code == ErrorCode::invalid_argument) code = rpc::kInvalidParams;
  if (error.code == ErrorCode::cancelled) code = rpc::kRequestCancelled;
  return ResponseError{code, error.message, to_json(error)};
}

}  // namespace brainstorm
