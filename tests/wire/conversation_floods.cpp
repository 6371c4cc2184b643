// Clients that say too much, listen too little, or talk nonsense. Numbers are those of known faults
// in other servers.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/wire/support.h"

using namespace brainstorm;
using test::code_of;
using test::Json;
using test::Server;

TEST_CASE("wire 34: a hundred thousand notifications") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  std::string flood;
  for (int i = 0; i < 1000; ++i) {
    flood += frame(R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":)"
                   R"({"uri":"file:///w/a.txt","version":1},"contentChanges":[{"text":"x"}]}})");
  }
  for (int i = 0; i < 100; ++i) REQUIRE(server.raw(flood));
  CHECK(server.lives());
  CHECK(server.status_kb("VmHWM") < 40'000);
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 34 35: ten thousand requests by a client that reads only afterwards") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  server.stop_reading();
  std::string flood;
  for (int i = 0; i < 10'000; ++i) {
    flood += frame(Json{{"jsonrpc", "2.0"}, {"id", i}, {"method", "lives/ask"}}.dump());
  }
  REQUIRE(server.raw(flood));
  server.read_again();
  for (int i = 0; i < 10'000; ++i) {
    const Json answer = server.response(i);
    if (code_of(answer) != -32601) FAIL("no answer to request " << i);
  }
  CHECK(server.status_kb("VmHWM") < 60'000);
  CHECK(server.leave() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire 32: cancels of nothing, odd cancels") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  for (const Json& params : std::vector<Json>{nullptr,
                                              Json::object(),
                                              {{"id", 1}},
                                              {{"id", "x"}},
                                              {{"id", nullptr}},
                                              {{"id", Json::array()}},
                                              7}) {
    server.notify("$/cancelRequest", params);
  }
  CHECK(server.lives());
  for (const Json& message : server.inbox()) CHECK(message.contains("method"));
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: answers to questions that were never asked") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  for (const char* body :
       {R"({"jsonrpc":"2.0","id":1,"result":null})", R"({"jsonrpc":"2.0","id":"x","result":{}})",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}})",
        R"({"jsonrpc":"2.0","id":1,"result":1,"error":{"code":-1,"message":"x"}})",
        R"({"jsonrpc":"2.0","id":1,"error":"odd"})", R"({"jsonrpc":"2.0","id":1,"error":null})"}) {
    REQUIRE(server.raw(frame(body)));
  }
  CHECK(server.lives());
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: every message with every kind of nonsense in it") {
  const std::vector<Json> nonsense{
      nullptr,
      true,
      7,
      -1.5,
      "text",
      Json::array(),
      Json::object(),
      Json::array({1, nullptr}),
      {{"textDocument", 5}},
      {{"textDocument", {{"uri", 5}}}},
      {{"textDocument", {{"uri", "no uri"}, {"text", 1}}}},
      {{"textDocument", {{"uri", "file:///%zz"}, {"text", "x"}, {"version", "one"}}}},
      {{"textDocument", {{"uri", "file:///w/a"}}}, {"contentChanges", 1}},
      {{"textDocument", {{"uri", "file:///w/a"}}},
       {"contentChanges", Json::array({1, {{"text", 1}}, {{"range", 1}, {"text", "x"}}})}},
      {{"event", nullptr}},
      {{"event", {{"added", 1}, {"removed", Json::array({1})}}}},
      {{"event", {{"added", Json::array({{{"uri", "ftp://x/y"}}})}}}},
      {{"settings", 5}},
      {{"settings", {{"brainstorm", "x"}}}},
      {{"settings", {{"limits", {{"prompt_min", "x"}}}, {"unknown", 1}}}},
      {{"value", 5}},
      {{"token", Json::object()}},
      {{"token", "nobody's"}},
      {{"command", 5}},
      {{"command", "brainstorm.start"}, {"arguments", 5}},
      {{"command", "brainstorm.start"}, {"arguments", Json::array({5})}},
      {{"command", "brainstorm.start"},
       {"arguments", Json::array({Json::object(), Json::object()})}},
      {{"command", "brainstorm.decide"},
       {"arguments", Json::array({{{"session", "../.."}, {"choice", "x"}}})}},
      {{"command", "brainstorm.show"},
       {"arguments", Json::array({{{"session", "x\n\u0000"}, {"what", "../state"}}})}},
      {{"command", "brainstorm.sessions"},
       {"arguments", Json::array({{{"filter", {{"limit", 1e300}}}}})}},
      {{"command", "brainstorm.none"}},
  };
  const std::vector<std::string> methods{"initialized",
                                         "textDocument/didOpen",
                                         "textDocument/didChange",
                                         "textDocument/didClose",
                                         "textDocument/didSave",
                                         "workspace/didChangeWorkspaceFolders",
                                         "workspace/didChangeConfiguration",
                                         "workspace/didChangeWatchedFiles",
                                         "$/setTrace",
                                         "$/cancelRequest",
                                         "$/progress",
                                         "window/workDoneProgress/cancel",
                                         "workspace/executeCommand",
                                         "brainstorm/lm/chunk"};
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  for (const std::string& method : methods) {
    CAPTURE(method);
    for (const Json& params : nonsense) {
      CAPTURE(params.dump());
      server.notify(method, params);
      const int id = server.request(method, params);
      const Json answer = server.response(id);
      REQUIRE(answer.is_object());
      CHECK(answer.contains("result") != answer.contains("error"));
      if (method != "workspace/executeCommand") CHECK(code_of(answer) == -32601);
    }
  }
  CHECK(server.lives());
  CHECK(server.leave() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire: initialize with nonsense is refused and may be tried again") {
  Server server;
  for (const Json& params : std::vector<Json>{7,
                                              "x",
                                              Json::array({1}),
                                              {{"processId", "x"}},
                                              {{"workspaceFolders", 5}},
                                              {{"capabilities", 5}}}) {
    CAPTURE(params.dump());
    CHECK(code_of(server.call("initialize", params)) == -32602);
  }
  CHECK(code_of(server.begin()) == 0);
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 10: nothing but messages on stdout, and a quiet start") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  CHECK(server.lives());
  CHECK(server.leave() == 0);
  CHECK(server.pure());
  CHECK(server.errors().empty());
}

TEST_CASE("wire: small after initialize") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  CHECK(server.lives());
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(server.status_kb("VmRSS") <= 16 * 1024);
#endif
  CHECK(server.leave() == 0);
}
