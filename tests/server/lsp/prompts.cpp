#include "server/lsp/prompts.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/server/lsp/support.h"

using namespace brainstorm;
using test::answer;
using test::refusal;

namespace {

Decision review() {
  Decision decision;
  decision.id = "review-1";
  decision.kind = "review";
  decision.prompt = "The synthesis is ready.";
  decision.options = {{"accept", "Accept"}, {"refine", "Refine…"}, {"abort", "Abort"}};
  decision.fields = {{"text", "What should change?", "string", false, "", {}}};
  return decision;
}

Decision framing() {
  Decision decision;
  decision.id = "framing-1";
  decision.kind = "framing";
  decision.prompt = "Is this the question?";
  decision.options = {{"approve", "Approve"}, {"refine", "Refine…"}, {"abort", "Abort"}};
  return decision;
}

struct Dialogs {
  test::Wire wire;
  Client client{wire.send()};
  std::vector<Answer> decided;
  Prompts prompts{client, [this](Answer answer) { decided.push_back(std::move(answer)); }};

  Dialogs(bool input, bool message) {
    client.features.input = input;
    client.features.message_request = message;
    client.ready();
  }
};

}  // namespace

TEST_CASE("prompts: the best declared channel, and only that one") {
  struct Case {
    bool input, message;
    PromptChannel channel;
    std::size_t forms, dialogs, logs;
  };
  const std::vector<Case> cases{
      {true, true, PromptChannel::input, 1, 0, 0},
      {true, false, PromptChannel::input, 1, 0, 0},
      {false, true, PromptChannel::message, 0, 1, 0},
      {false, false, PromptChannel::none, 0, 0, 1},
  };
  for (const Case& one : cases) {
    Dialogs dialogs(one.input, one.message);
    CHECK(prompt_channel(dialogs.client.features) == one.channel);
    dialogs.prompts.ask("s1", framing());
    CHECK(dialogs.wire.all("brainstorm/input").size() == one.forms);
    CHECK(dialogs.wire.all("window/showMessageRequest").size() == one.dialogs);
    CHECK(dialogs.wire.all("window/logMessage").size() == one.logs);
  }
}

TEST_CASE("prompts: one prompt per decision") {
  Dialogs dialogs(false, true);
  dialogs.prompts.ask("s1", framing());
  dialogs.prompts.ask("s1", framing());
  dialogs.prompts.ask("s2", framing());
  CHECK(dialogs.wire.all("window/showMessageRequest").size() == 2);
  CHECK(dialogs.prompts.open_count() == 2);
}

TEST_CASE("prompts: a form offers the choices and then the fields") {
  const Form form = prompt_form("s1", review());
  CHECK(form.session == "s1");
  CHECK(form.decision == "review-1");
  REQUIRE(form.fields.size() == 2);
  CHECK(form.fields[0].id == "choice");
  CHECK(form.fields[0].type == "enum");
  CHECK(form.fields[0].options == review().options);
  CHECK(form.fields[1].id == "text");
}

TEST_CASE("prompts: a review dialog has at most four buttons and may wait") {
  Decision decision = review();
  decision.options = {{"accept", "Accept"},
                      {"rerun", "Rerun"},
                      {"refine", "Refine…"},
                      {"handoff", "Hand off…"},
                      {"abort", "Abort"}};
  std::vector<std::string> titles;
  for (const Option& button : prompt_buttons(decision)) titles.push_back(button.title);
  CHECK(titles == std::vector<std::string>{"Accept", "Refine…", "Hand off…", "Later"});
}

TEST_CASE("prompts: an answered form decides, with its values") {
  Dialogs dialogs(true, false);
  dialogs.prompts.ask("s1", review());
  const Json request = dialogs.wire.all("brainstorm/input").at(0);
  dialogs.client.answered(
      answer(request,
             Json::parse(R"({"action": "accept", "values": {"choice": "refine", "text": "x"}})")));
  REQUIRE(dialogs.decided.size() == 1);
  CHECK(dialogs.decided[0].session == "s1");
  CHECK(dialogs.decided[0].decision == "review-1");
  CHECK(dialogs.decided[0].choice == "refine");
  CHECK(dialogs.decided[0].values == std::map<std::string, std::string>{{"text", "x"}});
}

TEST_CASE("prompts: forms that answer nothing change nothing") {
  for (const char* result :
       {"null", "{}", "[]", "7", R"({"action": "cancel"})", R"({"action": "decline"})",
        R"({"action": "accept"})", R"({"action": "accept", "values": {}})",
        R"({"action": "accept", "values": {"choice": {"deep": 1}}})", R"({"action": 5})"}) {
    CAPTURE(result);
    Dialogs dialogs(true, true);
    dialogs.prompts.ask("s1", framing());
    dialogs.client.answered(
        answer(dialogs.wire.all("brainstorm/input").at(0), Json::parse(result)));
    CHECK(dialogs.decided.empty());
    CHECK(dialogs.wire.all("window/showMessageRequest").empty());
  }
}

TEST_CASE("prompts: dialogs that answer nothing change nothing") {
  for (const char* result : {"null", "{}", "[1]", "7", R"({"title": "Destroy"})",
                             R"({"title": null})", R"({"title": 5})", R"({"title": "Later"})"}) {
    CAPTURE(result);
    Dialogs dialogs(false, true);
    dialogs.prompts.ask("s1", review());
    dialogs.client.answered(
        answer(dialogs.wire.all("window/showMessageRequest").at(0), Json::parse(result)));
    CHECK(dialogs.decided.empty());
    CHECK(dialogs.prompts.open_count() == 0);
  }
}

TEST_CASE("prompts: a button decides; one that needs a text says how to give it") {
  Dialogs dialogs(false, true);
  dialogs.prompts.ask("s1", review());
  const Json request = dialogs.wire.all("window/showMessageRequest").at(0);
  dialogs.client.answered(answer(request, Json::parse(R"({"title": "Accept"})")));
  REQUIRE(dialogs.decided.size() == 1);
  CHECK(dialogs.decided[0].choice == "accept");

  dialogs.prompts.ask("s1", review());
  const Json again = dialogs.wire.all("window/showMessageRequest").at(1);
  dialogs.client.answered(answer(again, Json::parse(R"({"title": "Refine…"})")));
  CHECK(dialogs.decided.size() == 1);
  CHECK(dialogs.wire.all("window/showMessage").size() == 1);
}

TEST_CASE("prompts: decided elsewhere, the dialog is closed and a late answer only logged") {
  Dialogs dialogs(false, true);
  dialogs.prompts.ask("s1", framing());
  const Json request = dialogs.wire.all("window/showMessageRequest").at(0);
  dialogs.prompts.settled("s1", "framing-1");
  const auto cancels = dialogs.wire.all("$/cancelRequest");
  REQUIRE(cancels.size() == 1);
  CHECK(cancels[0]["params"]["id"] == request["id"]);
  dialogs.client.answered(answer(request, Json::parse(R"({"title": "Approve"})")));
  CHECK(dialogs.decided.empty());
  CHECK(dialogs.wire.all("window/logMessage").size() == 1);
}

TEST_CASE("prompts: a client that does not know forms gets the next best thing") {
  Dialogs dialogs(true, true);
  dialogs.prompts.ask("s1", framing());
  dialogs.client.answered(refusal(dialogs.wire.all("brainstorm/input").at(0), -32601));
  CHECK(dialogs.wire.all("window/showMessageRequest").size() == 1);
  dialogs.prompts.ask("s2", framing());
  CHECK(dialogs.wire.all("brainstorm/input").size() == 1);
  CHECK(dialogs.wire.all("window/showMessageRequest").size() == 2);
}

TEST_CASE("prompts: another error leaves the decision open") {
  Dialogs dialogs(true, true);
  dialogs.prompts.ask("s1", framing());
  dialogs.client.answered(refusal(dialogs.wire.all("brainstorm/input").at(0), -32603));
  CHECK(dialogs.decided.empty());
  CHECK(dialogs.wire.all("window/showMessageRequest").empty());
  CHECK(dialogs.client.features.input);
}
