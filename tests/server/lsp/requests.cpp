#include "server/lsp/requests.h"

#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace brainstorm;

namespace {

struct Open {
  std::vector<Json> sent;
  std::unique_ptr<Requests> requests =
      std::make_unique<Requests>([this](Json message) { sent.push_back(std::move(message)); });
};

}  // namespace

TEST_CASE("requests: each is answered once, under the id that it came with") {
  for (const Id& id : {Id(std::int64_t{7}), Id(std::string("7")), Id(std::string()),
                       Id(std::int64_t{-9'007'199'254'740'993})}) {
    Open open;
    auto reply = open.requests->open(id);
    REQUIRE(reply);
    reply->result(nullptr);
    reply->result(1);
    reply->error(ResponseError{});
    REQUIRE(open.sent.size() == 1);
    CHECK(open.sent[0]["id"] == to_json(id));
    CHECK(open.sent[0].contains("result"));
    CHECK(open.sent[0]["result"].is_null());
    CHECK_FALSE(open.sent[0].contains("error"));
    CHECK(open.requests->open_count() == 0);
  }
}

TEST_CASE("requests: one that is dropped is answered all the same") {
  Open open;
  open.requests->open(Id(std::int64_t{1}));
  REQUIRE(open.sent.size() == 1);
  CHECK(open.sent[0]["error"]["code"] == -32603);
}

TEST_CASE("requests: a moved reply answers once") {
  Open open;
  auto reply = open.requests->open(Id(std::int64_t{1}));
  {
    Reply moved = *std::move(reply);
    moved.result("x");
  }
  reply.reset();
  CHECK(open.sent.size() == 1);
}

TEST_CASE("requests: an id in use is refused, a used one may come again") {
  Open open;
  auto first = open.requests->open(Id(std::string("a")));
  CHECK_FALSE(open.requests->open(Id(std::string("a"))));
  REQUIRE(open.sent.size() == 1);
  CHECK(open.sent[0]["error"]["code"] == -32600);
  CHECK(open.sent[0]["id"] == "a");
  // A number is not the string that spells it.
  auto other = open.requests->open(Id(std::int64_t{1}));
  auto same = open.requests->open(Id(std::string("1")));
  CHECK(other);
  CHECK(same);
  first->result(1);
  CHECK(open.requests->open(Id(std::string("a"))));
}

TEST_CASE("requests: a cancel is answered at once and stops the work") {
  Open open;
  auto reply = open.requests->open(Id(std::int64_t{5}));
  int stopped = 0;
  reply->on_cancel([&] { ++stopped; });
  open.requests->cancel(Id(std::string("5")));
  CHECK(stopped == 0);
  open.requests->cancel(Id(std::int64_t{5}));
  open.requests->cancel(Id(std::int64_t{5}));
  CHECK(stopped == 1);
  REQUIRE(open.sent.size() == 1);
  CHECK(open.sent[0]["error"]["code"] == -32800);
  reply->result("too late");
  CHECK(open.sent.size() == 1);
}

TEST_CASE("requests: after the end nobody is answered") {
  Open open;
  auto reply = open.requests->open(Id(std::int64_t{5}));
  open.requests.reset();
  reply->result(1);
  CHECK(open.sent.empty());
}
