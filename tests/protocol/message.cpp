#include "protocol/message.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace brainstorm {
namespace {

Json parsed(std::string_view text) {
  Result<Json> value = json::parse(text);
  REQUIRE(value.has_value());
  return *std::move(value);
}

/// "request 1 m {}", "notification m {}", "result 1 5", "error 1 -32601 text data", "invalid 1".
std::string told(const Message& message) {
  if (const auto* request = std::get_if<Request>(&message)) {
    return "request " + json::dump(to_json(request->id)) + " " + request->method + " " +
           json::dump(request->params);
  }
  if (const auto* notification = std::get_if<Notification>(&message)) {
    return "notification " + notification->method + " " + json::dump(notification->params);
  }
  if (const auto* response = std::get_if<Response>(&message)) {
    const std::string id = json::dump(to_json(response->id));
    if (!response->error) return "result " + id + " " + json::dump(response->result);
    return "error " + id + " " + std::to_string(response->error->code) + " " +
           response->error->message + " " + json::dump(response->error->data);
  }
  const auto& invalid = std::get<Invalid>(message);
  CHECK_FALSE(invalid.reason.empty());
  return "invalid " + json::dump(to_json(invalid.id));
}

TEST_CASE("what a message is") {
  struct Row {
    const char* text;
    const char* story;
  };
  const std::vector<Row> rows = {
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}})", R"(request 1 m {"a":1})"},
      {R"({"jsonrpc":"2.0","id":"1","method":"m"})", R"(request "1" m {})"},
      {R"({"jsonrpc":"2.0","id":"","method":"m"})", R"(request "" m {})"},
      {R"({"jsonrpc":"2.0","id":0,"method":"m"})", "request 0 m {}"},
      {R"({"jsonrpc":"2.0","id":-7,"method":"m"})", "request -7 m {}"},
      {R"({"jsonrpc":"2.0","id":9223372036854775807,"method":"m"})",
       "request 9223372036854775807 m {}"},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", "request null m {}"},
      // The ways of saying "no parameters".
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})", "request 1 m {}"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":{}})", "request 1 m {}"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})", "request 1 m {}"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})", "request 1 m [1]"},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":5})", "request 1 m 5"},
      {R"({"jsonrpc":"2.0","method":"m"})", "notification m {}"},
      {R"({"jsonrpc":"2.0","method":"m","params":null})", "notification m {}"},
      // A missing or odd version is tolerated.
      {R"({"id":1,"method":"m"})", "request 1 m {}"},
      {R"({"jsonrpc":2,"id":1,"method":"m"})", "request 1 m {}"},
      {R"({"jsonrpc":"1.0","method":"m"})", "notification m {}"},
      // Answers to our own requests.
      {R"({"jsonrpc":"2.0","id":1,"result":5})", "result 1 5"},
      {R"({"jsonrpc":"2.0","id":1,"result":null})", "result 1 null"},
      {R"({"jsonrpc":"2.0","id":1,"result":null,"error":null})", "result 1 null"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":{"a":1}}})",
       R"(error 1 -32601 no {"a":1})"},
      {R"({"jsonrpc":"2.0","id":1,"result":5,"error":{"code":1,"message":"no"}})",
       "error 1 1 no null"},
      {R"({"jsonrpc":"2.0","id":1,"error":"no"})", "error 1 0  null"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":"x","message":[]}})", "error 1 0  null"},
      {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})",
       "error null -32700 no null"},
      // No messages.
      {R"({"jsonrpc":"2.0","id":3,"method":5})", "invalid 3"},
      {R"({"jsonrpc":"2.0","id":"x","method":null})", R"(invalid "x")"},
      {R"({"jsonrpc":"2.0","method":{}})", "invalid null"},
      {R"({"jsonrpc":"2.0","id":4})", "invalid 4"},
      {R"({"jsonrpc":"2.0","id":4,"error":null})", "invalid 4"},
      {R"({})", "invalid null"},
      {R"({"jsonrpc":"2.0","id":{},"method":"m"})", "invalid null"},
      {R"({"jsonrpc":"2.0","id":[1],"method":"m"})", "invalid null"},
      {R"({"jsonrpc":"2.0","id":true,"method":"m"})", "invalid null"},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", "invalid null"},
      {R"({"jsonrpc":"2.0","id":9223372036854775808,"method":"m"})", "invalid null"},
      {R"({"jsonrpc":"2.0","id":{},"result":1})", "invalid null"},
      {R"({"jsonrpc":"2.0","result":1})", "invalid null"},
      {R"([{"jsonrpc":"2.0","id":1,"method":"m"}])", "invalid null"},
      {R"([])", "invalid null"},
      {R"(5)", "invalid null"},
      {R"("text")", "invalid null"},
      {R"(null)", "invalid null"},
      {R"(true)", "invalid null"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(told(classify(parsed(row.text))) == row.story);
  }
}

TEST_CASE("envelopes have exactly the members that their kind has") {
  const Id number = std::int64_t{7};
  const Id text = std::string("a-1");
  CHECK(request_message(number, "m") == parsed(R"({"jsonrpc":"2.0","id":7,"method":"m"})"));
  CHECK(request_message(text, "m", Json::object()) ==
        parsed(R"({"jsonrpc":"2.0","id":"a-1","method":"m","params":{}})"));
  CHECK(notification_message("m", parsed("[1]")) ==
        parsed(R"({"jsonrpc":"2.0","method":"m","params":[1]})"));
  CHECK(result_message(number, nullptr) == parsed(R"({"jsonrpc":"2.0","id":7,"result":null})"));
  CHECK(result_message(text, parsed("[[]]")) ==
        parsed(R"({"jsonrpc":"2.0","id":"a-1","result":[[]]})"));
  CHECK(error_message(Id(), ResponseError{rpc::kParseError, "bad", nullptr}) ==
        parsed(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}})"));
  CHECK(error_message(number, ResponseError{1, "bad", parsed(R"({"a":1})")}) ==
        parsed(R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"bad","data":{"a":1}}})"));
}

TEST_CASE("what we send is read back as what it is") {
  const Id id = std::string("\u982d\n\"");
  CHECK(told(classify(request_message(id, "m", parsed(R"({"a":[1]})")))) ==
        "request " + json::dump(to_json(id)) + R"( m {"a":[1]})");
  CHECK(told(classify(notification_message("m"))) == "notification m {}");
  CHECK(told(classify(result_message(id, nullptr))) ==
        "result " + json::dump(to_json(id)) + " null");
}

TEST_CASE("our errors carry code, hint and facts") {
  struct Row {
    ErrorCode code;
    std::int64_t number;
    const char* name;
  };
  for (const Row& row : std::vector<Row>{{ErrorCode::invalid_argument, -32602, "invalid_argument"},
                                         {ErrorCode::cancelled, -32800, "cancelled"},
                                         {ErrorCode::session_locked, -32803, "session_locked"},
                                         {ErrorCode::internal, -32803, "internal"}}) {
    CAPTURE(row.name);
    const ResponseError error =
        response_error(Error{row.code, "What happened.", "What to do.", {{"pid", "12"}}});
    CHECK(error.code == row.number);
    CHECK(error.message == "What happened.");
    CHECK(error.data == Json::object({{"code", row.name}, {"hint", "What to do."}, {"pid", "12"}}));
  }
}

}  // namespace
}  // namespace brainstorm
