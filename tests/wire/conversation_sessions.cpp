// Sessions as a client sees them: starting, waiting, deciding, cancelling, and being away
// meanwhile. Numbers are those of known faults in other servers.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/wire/support.h"

using namespace brainstorm;
using test::code_of;
using test::Json;
using test::Server;

namespace {

const Json kAll{
    {"window",
     {{"workDoneProgress", true},
      {"showMessage", {{"messageActionItem", Json::object()}}},
      {"showDocument", {{"support", true}}}}},
    {"experimental", {{"brainstorm", {{"version", 1}, {"session", true}, {"delta", true}}}}}};
const Json kSnapshots{{"experimental", {{"brainstorm", {{"version", 1}, {"session", true}}}}}};

Json question(Json more = Json::object()) {
  Json start{{"question", "Should the hand-written parser be generated from a grammar?"}};
  start.update(more);
  return start;
}

/// Waits for the snapshot in which a decision of this kind is open.
Json until_asked(Server& server, const std::string& session, const std::string& kind) {
  return server.await([&](const Json& it) {
    if (it.value("method", "") != "brainstorm/session" || it["params"]["id"] != session)
      return false;
    const Json& open = it["params"]["pendingDecisions"];
    return !open.empty() && open[0]["kind"] == kind;
  });
}

Json until_state(Server& server, const std::string& session, const std::string& state) {
  return server.await([&](const Json& it) {
    return it.value("method", "") == "brainstorm/session" && it["params"]["id"] == session &&
           it["params"]["state"] == state;
  });
}

void answer(Server& server, const Json& request, Json result) {
  server.send({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", std::move(result)}});
}

}  // namespace

TEST_CASE("wire 37: start returns at once, the run goes on to its review") {
  Server server;
  REQUIRE(code_of(server.begin(kSnapshots)) == 0);
  const Json started = server.command("start", question());
  REQUIRE(code_of(started) == 0);
  const std::string session = started["result"]["session"];
  REQUIRE(until_asked(server, session, "review").is_object());
  const Json listed = server.command("sessions");
  REQUIRE(listed["result"].size() == 1);
  CHECK(listed["result"][0]["id"] == session);
  const Json accepted = server.command("accept", {{"session", session}});
  CHECK(code_of(accepted) == 0);
  CHECK(until_state(server, session, "COMPLETED").is_object());
  CHECK(server.leave() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire 39 40: create is answered before begin, end comes last and once") {
  Server server;
  REQUIRE(code_of(server.begin(kAll)) == 0);
  const std::string session = server.command("start", question())["result"]["session"];
  const Json create = server.heard("window/workDoneProgress/create");
  REQUIRE(create.is_object());
  for (const Json& message : server.inbox()) CHECK(message.value("method", "") != "$/progress");
  answer(server, create, nullptr);
  REQUIRE(until_asked(server, session, "review").is_object());
  CHECK(server.lives());
  bool ended = false;
  int begun = 0;
  for (const Json& message : server.inbox()) {
    if (message.value("method", "") != "$/progress") continue;
    if (message["params"]["token"] != create["params"]["token"]) continue;
    CHECK_FALSE(ended);
    const Json kind = message["params"]["value"]["kind"];
    if (kind == "begin") ++begun;
    if (kind == "end") ended = true;
  }
  CHECK(begun <= 1);
  CHECK(ended == (begun == 1));
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 36: a dialog answered with null changes nothing; a command decides and closes it") {
  Server server;
  REQUIRE(code_of(server.begin(kAll)) == 0);
  const Json framing = question({{"checkpoints", "all"}});
  const std::string first = server.command("start", framing)["result"]["session"];
  Json dialog = server.heard("window/showMessageRequest");
  REQUIRE(dialog.is_object());
  answer(server, dialog, nullptr);
  CHECK(server.lives());
  const Json again = server.command("decide", {{"session", first}, {"choice", "abort"}});
  CHECK(code_of(again) == 0);
  CHECK(again["result"]["state"] == "ABORTED");

  const std::string second = server.command("start", framing)["result"]["session"];
  dialog = server.heard("window/showMessageRequest");
  REQUIRE(dialog.is_object());
  CHECK(code_of(server.command("decide", {{"session", second}, {"choice", "abort"}})) == 0);
  const Json closed = server.heard("$/cancelRequest");
  REQUIRE(closed.is_object());
  CHECK(closed["params"]["id"] == dialog["id"]);
  answer(server, dialog, {{"title", "Approve"}});
  CHECK(server.lives());
  const Json late = server.command("decide", {{"session", second}, {"choice", "approve"}});
  CHECK(code_of(late) == -32803);
  CHECK(server.leave() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire 31 32: cancelling a start that waits answers once and aborts its session") {
  Server server;
  REQUIRE(code_of(server.begin(kSnapshots)) == 0);
  const int id = server.request(
      "workspace/executeCommand",
      {{"command", "brainstorm.start"}, {"arguments", Json::array({question({{"wait", true}})})}});
  const Json seen = server.heard("brainstorm/session");
  REQUIRE(seen.is_object());
  server.notify("$/cancelRequest", {{"id", id}});
  const Json answered = server.response(id);
  const int code = code_of(answered);
  // The run may have come to its review before the cancel arrived.
  CHECK((code == -32800 || code == 0));
  if (code == -32800) CHECK(until_state(server, seen["params"]["id"], "ABORTED").is_object());
  CHECK(server.lives());
  for (const Json& message : server.inbox()) CHECK(message.contains("method"));
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: a start that waits returns with the open decision") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  const Json waited = server.command("start", question({{"wait", true}, {"checkpoints", "all"}}));
  REQUIRE(code_of(waited) == 0);
  CHECK(waited["result"]["pendingDecisions"][0]["kind"] == "framing");
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 41: the cancel command ends a session and says so") {
  Server server;
  REQUIRE(code_of(server.begin(kSnapshots)) == 0);
  const std::string session =
      server.command("start", question({{"checkpoints", "all"}}))["result"]["session"];
  const Json cancelled = server.command("cancel", {{"session", session}});
  REQUIRE(code_of(cancelled) == 0);
  CHECK(cancelled["result"]["state"] == "ABORTED");
  CHECK(code_of(server.command("cancel", {{"session", "nobody"}})) == -32803);
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: a client that never answers anything loses nothing") {
  Server server;
  Json rich = kAll;
  rich["experimental"]["brainstorm"]["input"] = true;
  REQUIRE(code_of(server.begin(rich)) == 0);
  const std::string session =
      server.command("start", question({{"checkpoints", "all"}}))["result"]["session"];
  REQUIRE(until_asked(server, session, "framing").is_object());
  CHECK(code_of(server.command("decide", {{"session", session}, {"choice", "approve"}})) == 0);
  REQUIRE(until_asked(server, session, "review").is_object());
  CHECK(code_of(server.command("accept", {{"session", session}})) == 0);
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: a client that stops reading while sessions stream costs bounded memory") {
  Server server;
  REQUIRE(code_of(server.begin(kAll)) == 0);
  server.stop_reading();
  for (int i = 0; i < 20; ++i) {
    server.request("workspace/executeCommand",
                   {{"command", "brainstorm.start"}, {"arguments", Json::array({question()})}});
  }
  // Pushed through after the starts: when it is answered they all were.
  const int last = server.request("lives/ask");
  server.read_again();
  CHECK(code_of(server.response(last)) == -32601);
  CHECK(server.status_kb("VmHWM") < 120'000);
  server.close_input();
  CHECK(server.ended() == 1);
}

TEST_CASE("wire 25: the end of input while a session works leaves it resumable") {
  Server server;
  REQUIRE(code_of(server.begin(kSnapshots)) == 0);
  REQUIRE(code_of(server.command("start", question())) == 0);
  server.close_input();
  CHECK(server.ended() == 1);
  CHECK(server.pure());
}

TEST_CASE("wire: errors of ours carry a code and a hint") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  const Json missing =
      server.command("show", {{"session", "swarm-session-20200101-000000-00000000"}});
  CHECK(code_of(missing) == -32803);
  CHECK(missing["error"]["data"]["code"] == "session_not_found");
  CHECK_FALSE(missing["error"]["data"]["hint"].get<std::string>().empty());
  const Json bad = server.command("start", {{"question", 7}});
  CHECK(code_of(bad) == -32602);
  CHECK(bad["error"]["data"]["field"] == "params.arguments[0].question");
  const Json secret = server.command(
      "start", question({{"question", "Is password=hunter22hunter22 a good one to keep?"}}));
  CHECK(secret["error"]["data"]["code"] == "prompt_prohibited");
  CHECK(secret.dump().find("hunter22") == std::string::npos);
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: the text of a selection comes from the open document") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  const std::string uri = server.uri() + "/src/parser.cpp";
  server.notify(
      "textDocument/didOpen",
      {{"textDocument",
        {{"uri", uri}, {"languageId", "cpp"}, {"version", 1}, {"text", "a🎈b\nunsaved"}}}});
  const Json range{{"start", {{"line", 0}, {"character", 1}}},
                   {"end", {{"line", 0}, {"character", 3}}}};
  const Json context = Json::array({{{"kind", "selection"}, {"uri", uri}, {"range", range}}});
  const Json started = server.command(
      "start", question({{"context", context}, {"checkpoints", "all"}, {"wait", true}}));
  REQUIRE(code_of(started) == 0);
  const std::string session = started["result"]["session"];
  std::ifstream file(server.folder() + "/.workflow/" + session + "/context.md");
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  CHECK(written.find("🎈") != std::string::npos);
  CHECK(written.find("unsaved") == std::string::npos);
  CHECK(server.leave() == 0);
}
