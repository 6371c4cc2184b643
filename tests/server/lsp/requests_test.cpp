#include "server/lsp/requests.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace brainstorm;

namespace {

struct Sent {
  std::vector<Json> messages;
  Requests requests{[this](Json message) { messages.push_back(std::move(message)); }};
};

std::int64_t code(const Json& message) {
  return message.at("error").at("code").get<std::int64_t>();
}

}  // namespace

TEST_CASE("31: every request is answered exactly once") {
  Sent sent;
  auto reply = sent.requests.open(Id(std::int64_t{1}));
  REQUIRE(reply);
  reply->result(Json::object({{"x", 1}}));
  reply->result(nullptr);
  reply->error(Error{ErrorCode::internal, "late", "", {}});
  reply.reset();
  REQUIRE(sent.messages.size() == 1);
  CHECK(sent.messages[0] == Json::parse(R"({"jsonrpc": "2.0", "id": 1, "result": {"x": 1}})"));
  CHECK(sent.requests.open_count() == 0);
}

TEST_CASE("a reply that nobody gave is an internal error, whoever drops it") {
  Sent sent;
  {
    auto reply = sent.requests.open(Id(std::string("a")));
    Reply moved = *std::move(reply);
    reply.reset();
    CHECK(sent.messages.empty());
  }
  REQUIRE(sent.messages.size() == 1);
  CHECK(code(sent.messages[0]) == rpc::kInternalError);
  CHECK(sent.messages[0].at("id") == "a");
}

TEST_CASE("29: ids are echoed as they came") {
  for (const char* text : {"1", "\"1\"", "-9223372036854775808", "\"\"", "\"\\u0000é\""}) {
    CAPTURE(text);
    Sent sent;
    const Json id = Json::parse(text);
    sent.requests.open(*id_from_json(id))->result(nullptr);
    REQUIRE(sent.messages.size() == 1);
    CHECK(sent.messages[0].at("id") == id);
    CHECK(sent.messages[0].at("result").is_null());
  }
}

TEST_CASE("1 and \"1\" are two ids, and one in use cannot be used again") {
  Sent sent;
  auto number = sent.requests.open(Id(std::int64_t{1}));
  auto text = sent.requests.open(Id(std::string("1")));
  CHECK(number);
  CHECK(text);
  CHECK_FALSE(sent.requests.open(Id(std::int64_t{1})));
  REQUIRE(sent.messages.size() == 1);
  CHECK(code(sent.messages[0]) == rpc::kInvalidRequest);
  number->result(nullptr);
  CHECK(sent.requests.open(Id(std::int64_t{1})));
}

TEST_CASE("32: a cancel stops the work, is answered with -32800, and nothing follows") {
  Sent sent;
  int stopped = 0;
  auto reply = sent.requests.open(Id(std::int64_t{7}));
  reply->on_cancel([&] {
    ++stopped;
    CHECK(sent.messages.empty());  // what the work still says comes before the answer
  });
  sent.requests.cancel(Id(std::int64_t{7}));
  sent.requests.cancel(Id(std::int64_t{7}));
  CHECK(stopped == 1);
  reply->result(Json::array());
  REQUIRE(sent.messages.size() == 1);
  CHECK(code(sent.messages[0]) == rpc::kRequestCancelled);
}

TEST_CASE("a cancelled id can be used again while the old work still ends") {
  Sent sent;
  auto old = sent.requests.open(Id(std::int64_t{7}));
  sent.requests.cancel(Id(std::int64_t{7}));
  auto fresh = sent.requests.open(Id(std::int64_t{7}));
  REQUIRE(fresh);
  old->result("old");
  fresh->result("fresh");
  REQUIRE(sent.messages.size() == 2);
  CHECK(sent.messages[1].at("result") == "fresh");
}

TEST_CASE("cancels of nothing are ignored") {
  Sent sent;
  sent.requests.cancel(Id(std::int64_t{1}));
  sent.requests.cancel(Id());
  CHECK(sent.messages.empty());
}

TEST_CASE("replies may outlive the table, also when they hold themselves") {
  std::optional<Reply> survivor;
  {
    Sent sent;
    survivor = sent.requests.open(Id(std::int64_t{1}));
    auto own = std::make_shared<std::optional<Reply>>(sent.requests.open(Id(std::int64_t{2})));
    (*own)->on_cancel([own] { (*own)->result(nullptr); });
  }
  survivor->result(nullptr);
}
