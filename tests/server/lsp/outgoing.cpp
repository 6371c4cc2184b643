#include "server/lsp/outgoing.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/server/lsp/support.h"

using namespace brainstorm;

TEST_CASE("outgoing: nothing is said before the client is ready, then all of it in order") {
  test::Wire wire;
  Client client(wire.send());
  client.show(lsp::MessageType::info, "one");
  client.request("window/workDoneProgress/create", {{"token", "t"}}, [](const Response&) {});
  client.log(lsp::MessageType::info, "two");
  CHECK(wire.sent.empty());
  client.ready();
  std::vector<std::string> methods;
  for (const Json& message : wire.sent) methods.push_back(message["method"]);
  CHECK(methods == std::vector<std::string>{"window/showMessage", "window/workDoneProgress/create",
                                            "window/logMessage"});
  client.show(lsp::MessageType::error, "three");
  CHECK(wire.sent.size() == 4);
  CHECK(wire.sent[3]["params"]["type"] == 1);
}

TEST_CASE("outgoing: ids are integers, each answered once") {
  test::Wire wire;
  Client client(wire.send());
  client.ready();
  std::vector<std::string> answers;
  const auto note = [&](const Response& response) {
    answers.push_back(response.error ? "error" : json::dump(response.result));
  };
  client.request("a", {}, note);
  client.request("b", {}, note);
  REQUIRE(wire.sent.size() == 2);
  CHECK(wire.sent[0]["id"].is_number_integer());
  CHECK(wire.sent[0]["id"] != wire.sent[1]["id"]);
  client.answered(test::answer(wire.sent[1], "B"));
  client.answered(test::refusal(wire.sent[0], -32601));
  client.answered(test::answer(wire.sent[1], "twice"));
  CHECK(answers == std::vector<std::string>{"\"B\"", "error"});
  CHECK(client.waiting() == 0);
}

TEST_CASE("outgoing: answers that nobody waits for are ignored") {
  test::Wire wire;
  Client client(wire.send());
  client.ready();
  client.answered({Id(std::int64_t{99}), 1, std::nullopt});
  client.answered({Id(std::string("1")), 1, std::nullopt});
  client.answered({Id(), 1, ResponseError{}});
  CHECK(wire.sent.empty());
}

TEST_CASE("outgoing: a client that never answers costs bounded memory") {
  test::Wire wire;
  Client client(wire.send());
  client.ready();
  for (int i = 0; i < 5000; ++i) client.request("a", {}, [](const Response&) {});
  CHECK(client.waiting() <= 1000);
}

TEST_CASE("outgoing: traces only when wanted") {
  test::Wire wire;
  Client client(wire.send());
  client.ready();
  client.trace_message("hidden");
  CHECK(wire.sent.empty());
  client.trace = lsp::Trace::messages;
  client.trace_message("seen");
  REQUIRE(wire.sent.size() == 1);
  CHECK(wire.sent[0]["method"] == "$/logTrace");
}
