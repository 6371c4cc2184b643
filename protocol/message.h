#pragma once
// JSON-RPC 2.0 messages: what a parsed body is, and the envelopes that we send.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/json.h"
#include "protocol/result.h"

namespace brainstorm {

/// The numbers of JSON-RPC and LSP that we send.
namespace rpc {
inline constexpr std::int64_t kParseError = -32700;
inline constexpr std::int64_t kInvalidRequest = -32600;
inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kInvalidParams = -32602;
inline constexpr std::int64_t kInternalError = -32603;
inline constexpr std::int64_t kNotInitialized = -32002;
inline constexpr std::int64_t kRequestCancelled = -32800;  // only for a cancel by the client
inline constexpr std::int64_t kRequestFailed = -32803;     // our own errors, with `data`
}  // namespace rpc

/// Echoed exactly as received. std::monostate is null: a request's null id, or "unknown".
using Id = std::variant<std::monostate, std::int64_t, std::string>;

Json to_json(const Id& id);
/// nullopt for anything but an integer of 64 bits, a string or null.
std::optional<Id> id_from_json(const Json& value);

struct ResponseError {
  std::int64_t code = rpc::kInternalError;
  std::string message;
  Json data;  // null: none
};

/// `params` absent, null, {} and [] all arrive as an empty object; anything else is as received.
struct Request {
  Id id;
  std::string method;
  Json params;
};

struct Notification {
  std::string method;
  Json params;
};

/// An answer to a request of ours: `error` or else `result` (which may be null).
struct Response {
  Id id;
  Json result;
  std::optional<ResponseError> error;
};

/// No message: answered with -32600, its id if it has a usable one, and this reason.
struct Invalid {
  Id id;
  std::string reason;
};

using Message = std::variant<Request, Notification, Response, Invalid>;

/// A missing or odd `jsonrpc` is tolerated. Batches, scalars and bad methods or ids are Invalid.
Message classify(Json message);

// Envelopes. Null `params` are left out; a success always has `result`, also when it is null.
Json request_message(const Id& id, std::string_view method, Json params = nullptr);
Json notification_message(std::string_view method, Json params = nullptr);
Json result_message(const Id& id, Json result);
Json error_message(const Id& id, ResponseError error);

/// An Error as clients see it: `data` is `{code, hint, …}`; invalid_argument is -32602, cancelled
/// is -32800, everything else -32803.
ResponseError response_error(const Error& error);

}  // namespace brainstorm
