// From the first byte to the exit code. Numbers are those of known faults in other servers.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/wire/support.h"

using namespace brainstorm;
using test::code_of;
using test::Json;
using test::Server;

TEST_CASE("wire 15: before initialize") {
  Server server;
  CHECK(code_of(server.call("shutdown")) == -32002);
  CHECK(code_of(server.command("models")) == -32002);
  CHECK(code_of(server.call("$/unheard")) == -32002);
  server.notify("textDocument/didOpen", Json::object());
  server.notify("initialized", Json::object());
  CHECK(code_of(server.begin()) == 0);
  CHECK(server.leave() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire: what initialize announces") {
  Server server;
  const Json utf8 = {{"general", {{"positionEncodings", {"utf-16", "utf-8"}}}}};
  const Json result = server.begin(utf8)["result"];
  CHECK(result["serverInfo"]["name"] == "brainstorm-ls");
  const Json& capabilities = result["capabilities"];
  CHECK(capabilities["positionEncoding"] == "utf-8");
  CHECK(capabilities["textDocumentSync"]["openClose"] == true);
  CHECK(capabilities["textDocumentSync"]["change"] == 2);
  CHECK(capabilities["workspace"]["workspaceFolders"]["supported"] == true);
  CHECK(capabilities["workspace"]["workspaceFolders"]["changeNotifications"] == true);
  CHECK(capabilities["experimental"]["brainstorm"]["version"] == 1);
  CHECK(capabilities["experimental"]["brainstorm"]["modes"][0] == "swarm");
  // 42: what is announced is what there is, and nothing of the palette's.
  const Json& commands = capabilities["executeCommandProvider"]["commands"];
  CHECK(commands.size() == 10);
  for (const Json& name : commands) {
    CAPTURE(name.dump());
    CHECK(name.get<std::string>().starts_with("brainstorm."));
    CHECK_FALSE(name.get<std::string>().starts_with("brainstorm.ui."));
    const Json answer =
        server.call("workspace/executeCommand", {{"command", name}, {"arguments", Json::array()}});
    const int code = code_of(answer);
    CHECK((code == 0 || (code == -32602 && answer["error"]["data"].contains("field"))));
  }
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 44: utf-16 unless utf-8 is offered") {
  for (const Json& capabilities :
       {Json::object(), Json{{"general", {{"positionEncodings", {"utf-16", "utf-32"}}}}}}) {
    Server server;
    CHECK(server.begin(capabilities)["result"]["capabilities"]["positionEncoding"] == "utf-16");
    CHECK(server.leave() == 0);
  }
}

TEST_CASE("wire 24 26 38: every null of initialize") {
  Server server;
  const Json nulls{{"processId", nullptr},
                   {"rootPath", nullptr},
                   {"rootUri", nullptr},
                   {"workspaceFolders", nullptr},
                   {"initializationOptions", nullptr},
                   {"trace", nullptr},
                   {"clientInfo", nullptr},
                   {"locale", nullptr},
                   {"workDoneToken", nullptr}};
  CHECK(code_of(server.initialize(Json::object(), nulls)) == 0);
  server.notify("initialized");
  CHECK(server.lives());
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: initialize twice, requests after shutdown") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  CHECK(code_of(server.initialize()) == -32600);
  CHECK(server.lives());
  const Json answer = server.call("shutdown");
  // 21 22 23: literally null, and nothing beside it.
  REQUIRE(answer.contains("result"));
  CHECK(answer["result"].is_null());
  CHECK_FALSE(answer.contains("error"));
  // 19: it waits for exit.
  CHECK(code_of(server.call("shutdown")) == -32600);
  CHECK(code_of(server.command("models")) == -32600);
  CHECK(code_of(server.initialize()) == -32600);
  server.notify("textDocument/didOpen", Json::object());
  server.notify("exit");
  CHECK(server.ended() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire 24: shutdown and exit in every spelling") {
  for (const Json& params : std::vector<Json>{nullptr, Json::object(), Json::array(), 5, "x"}) {
    CAPTURE(params.dump());
    Server server;
    REQUIRE(code_of(server.begin()) == 0);
    server.send({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "shutdown"}, {"params", params}});
    const Json answer = server.response(1);
    CHECK(answer.contains("result"));
    server.send({{"jsonrpc", "2.0"}, {"method", "exit"}, {"params", params}});
    CHECK(server.ended() == 0);
  }
}

TEST_CASE("wire 18: exit codes") {
  {
    Server server;
    server.notify("exit");
    CHECK(server.ended() == 1);
  }
  {
    Server server;
    REQUIRE(code_of(server.begin()) == 0);
    server.notify("exit");
    CHECK(server.ended() == 1);
    CHECK(server.pure());
  }
}

TEST_CASE("wire 25: the end of input ends the server") {
  {
    Server server;
    server.close_input();
    CHECK(server.ended() == 1);
  }
  {
    Server server;
    REQUIRE(code_of(server.begin()) == 0);
    server.close_input();
    CHECK(server.ended() == 1);
  }
  {
    // In the middle of a message.
    Server server;
    REQUIRE(code_of(server.begin()) == 0);
    REQUIRE(server.raw("Content-Length: 100\r\n\r\n{\"jsonrpc\""));
    server.close_input();
    CHECK(server.ended() == 1);
    CHECK(server.pure());
  }
  {
    Server server;
    REQUIRE(code_of(server.begin()) == 0);
    REQUIRE(code_of(server.call("shutdown")) == 0);
    server.close_input();
    CHECK(server.ended() == 1);
  }
}

TEST_CASE("wire 26: a parent that dies takes the server with it, if it was seen") {
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::pause();
    ::_exit(0);
  }
  Server server;
  REQUIRE(code_of(server.initialize(Json::object(), {{"processId", parent}})) == 0);
  server.notify("initialized", Json::object());
  CHECK(server.lives());
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  CHECK(server.ended() == 1);
  CHECK_FALSE(server.errors().empty());  // it says why
}

TEST_CASE("wire 26: a parent of another world is not watched") {
  for (const Json& id : std::vector<Json>{4'194'303, 0, -1, 99'999'999'999, nullptr}) {
    CAPTURE(id.dump());
    Server server;
    REQUIRE(code_of(server.initialize(Json::object(), {{"processId", id}})) == 0);
    server.notify("initialized", Json::object());
    CHECK(server.lives());
    CHECK(server.leave() == 0);
  }
}

TEST_CASE("wire 16: nothing is said before the client is ready") {
  Server server;
  const Json missing = Json::array({{{"uri", "file:///nowhere/at/all"}, {"name", "x"}}});
  REQUIRE(code_of(server.initialize(Json::object(), {{"workspaceFolders", missing}})) == 0);
  CHECK(server.inbox().empty());
  server.notify("initialized", Json::object());
  const Json shown = server.heard("window/showMessage");
  REQUIRE(shown.is_object());
  CHECK(shown["params"]["message"].get<std::string>().find("/nowhere/at/all") != std::string::npos);
  CHECK(server.lives());
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 33 43: unknown messages, and no registration") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  for (const char* method : {"lives/ask", "$/unheard", "textDocument/hover2", "", "exit2"}) {
    CAPTURE(method);
    CHECK(code_of(server.call(method)) == -32601);
    server.notify(method, {{"a", 1}});
  }
  CHECK(server.lives());
  for (const Json& message : server.inbox()) {
    CHECK(message.value("method", "") != "client/registerCapability");
    CHECK(message.contains("method"));  // nothing answered a notification
  }
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: folders come and go") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  const Json project{{"uri", server.uri()}, {"name", "project"}};
  const Json other{{"uri", server.uri() + "/src"}, {"name", "src"}};
  const Json question{{"question", "Should the parser be generated from a grammar?"},
                      {"dryRun", true}};
  CHECK(code_of(server.command("start", question)) == 0);
  server.notify("workspace/didChangeWorkspaceFolders",
                {{"event", {{"added", Json::array({other})}, {"removed", Json::array()}}}});
  const Json two = server.command("start", question);
  CHECK(two["error"]["data"]["code"] == "folder_ambiguous");
  server.notify(
      "workspace/didChangeWorkspaceFolders",
      {{"event", {{"added", Json::array()}, {"removed", Json::array({project, other})}}}});
  const Json none = server.command("start", question);
  CHECK(none["error"]["data"]["code"] == "folder_missing");
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: traces when they are wanted") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  server.notify("$/setTrace", {{"value", "messages"}});
  CHECK(server.lives());
  CHECK(server.heard("$/logTrace").is_object());
  server.notify("$/setTrace", {{"value", "off"}});
  CHECK(server.leave() == 0);
}
