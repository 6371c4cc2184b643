#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "protocol/lsp.h"

using namespace brainstorm;

namespace {

Result<lsp::InitializeParams> initialize(const std::string& text) {
  return lsp::initialize_params(Json::parse(text));
}

}  // namespace

TEST_CASE("lsp: every null of initialize is accepted") {
  for (const char* text :
       {R"({})", R"({"processId": null, "rootUri": null, "capabilities": {}})",
        R"({"processId": null, "rootPath": null, "rootUri": null, "workspaceFolders": null,
            "capabilities": null, "trace": null, "clientInfo": null, "locale": null,
            "initializationOptions": null, "workDoneToken": null})",
        R"({"capabilities": []})",
        R"({"capabilities": {"window": null, "general": null, "experimental": null}})"}) {
    CAPTURE(text);
    const auto read = initialize(text);
    REQUIRE(read);
    CHECK(read->folders.empty());
    CHECK_FALSE(read->process_id);
    CHECK(read->features.encoding == lsp::Encoding::utf16);
  }
}

TEST_CASE("lsp: initialize refuses wrong types by their path") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"processId": "12"})", "params.processId"},
      {R"({"rootUri": 3})", "params.rootUri"},
      {R"({"rootPath": {}})", "params.rootPath"},
      {R"({"capabilities": "all"})", "params.capabilities"},
      {R"({"workspaceFolders": "x"})", "params.workspaceFolders"},
      {R"({"workspaceFolders": [{"name": "x"}]})", "params.workspaceFolders[0].uri"},
  };
  for (const auto& one : cases) {
    const auto& text = one.first;
    const auto& field = one.second;
    CAPTURE(text);
    const auto read = initialize(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().data.at("field") == field);
  }
  CHECK_FALSE(lsp::initialize_params(Json::parse("7")));
}

TEST_CASE("lsp: folders come from the newest way to name them") {
  const auto all = initialize(
      R"({"workspaceFolders": [{"uri": "file:///a", "name": "a"}, {"uri": "file:///b", "name": ""}],
          "rootUri": "file:///c", "rootPath": "/d"})");
  CHECK(all->folders == std::vector<std::string>{"file:///a", "file:///b"});
  CHECK(initialize(R"({"rootUri": "file:///c", "rootPath": "/d"})")->folders ==
        std::vector<std::string>{"file:///c"});
  CHECK(initialize(R"({"rootPath": "/d"})")->folders == std::vector<std::string>{"/d"});
}

TEST_CASE("lsp: utf-8 only when it is offered") {
  const std::vector<std::pair<std::string, lsp::Encoding>> cases{
      {R"({"general": {"positionEncodings": ["utf-16", "utf-8"]}})", lsp::Encoding::utf8},
      {R"({"general": {"positionEncodings": ["utf-16", "utf-32"]}})", lsp::Encoding::utf16},
      {R"({"general": {"positionEncodings": "utf-8"}})", lsp::Encoding::utf16},
      {R"({"general": {"positionEncodings": [8, null]}})", lsp::Encoding::utf16},
      {R"({})", lsp::Encoding::utf16},
  };
  for (const auto& one : cases) {
    const auto& text = one.first;
    const auto& encoding = one.second;
    CHECK(lsp::client_features(Json::parse(text)).encoding == encoding);
  }
}

TEST_CASE("lsp: a capability of an odd type counts as not declared") {
  const auto odd = lsp::client_features(Json::parse(
      R"({"window": {"workDoneProgress": "yes", "showMessage": true, "showDocument": {"support": 1}},
          "experimental": {"brainstorm": {"input": 1, "session": "x", "delta": null}}})"));
  CHECK_FALSE(odd.work_done_progress);
  CHECK_FALSE(odd.message_request);
  CHECK_FALSE(odd.show_document);
  CHECK_FALSE(odd.input);
  CHECK_FALSE(odd.session);
  CHECK_FALSE(odd.delta);
  const auto good = lsp::client_features(Json::parse(
      R"({"window": {"workDoneProgress": true, "showMessage": {}, "showDocument": {"support": true}},
          "experimental": {"brainstorm": {"version": 1, "input": true, "session": true, "delta": true},
                           "serverStatusNotification": true}})"));
  CHECK(good.work_done_progress);
  CHECK(good.message_request);
  CHECK(good.show_document);
  CHECK(good.input);
  CHECK(good.session);
  CHECK(good.delta);
  CHECK(good.server_status);
}

TEST_CASE("lsp: the one argument of a command") {
  const std::vector<std::pair<std::string, std::string>> bad{
      {R"({})", "params.command"},
      {R"({"command": 4})", "params.command"},
      {R"({"command": "c", "arguments": {}})", "params.arguments"},
      {R"({"command": "c", "arguments": [{}, {}]})", "params.arguments"},
      {R"({"command": "c", "arguments": ["text"]})", "params.arguments[0]"},
      {R"({"command": "c", "workDoneToken": {}})", "params.workDoneToken"},
  };
  for (const auto& one : bad) {
    const auto& text = one.first;
    const auto& field = one.second;
    CAPTURE(text);
    const Json params = Json::parse(text);
    const auto read = lsp::execute_command(params);
    REQUIRE_FALSE(read);
    CHECK(read.error().data.at("field") == field);
  }
  for (const char* none :
       {R"({"command": "c"})", R"({"command": "c", "arguments": null})",
        R"({"command": "c", "arguments": []})", R"({"command": "c", "arguments": [null]})",
        R"({"command": "c", "arguments": [[]]})"}) {
    const Json params = Json::parse(none);
    const auto read = lsp::execute_command(params);
    REQUIRE(read);
    CHECK(read->argument == nullptr);
  }
}

TEST_CASE("lsp: changes of documents, refused by path") {
  const std::vector<std::pair<std::string, std::string>> bad{
      {R"({})", "params.textDocument"},
      {R"({"textDocument": {}})", "params.textDocument.uri"},
      {R"({"textDocument": {"uri": "u"}, "contentChanges": 4})", "params.contentChanges"},
      {R"({"textDocument": {"uri": "u"}, "contentChanges": [{}]})",
       "params.contentChanges[0].text"},
      {R"({"textDocument": {"uri": "u"}, "contentChanges": [{"text": "", "range": {}}]})",
       "params.contentChanges[0].range.start"},
      {R"({"textDocument": {"uri": "u"}, "contentChanges": [{"text": "", "range":
          {"start": {"line": 0.5, "character": 0}, "end": {"line": 0, "character": 0}}}]})",
       "params.contentChanges[0].range.start.line"},
  };
  for (const auto& one : bad) {
    const auto& text = one.first;
    const auto& field = one.second;
    CAPTURE(text);
    const auto read = lsp::document_change(Json::parse(text));
    REQUIRE_FALSE(read);
    CHECK(read.error().data.at("field") == field);
  }
}

TEST_CASE("lsp: tokens are echoed as they came") {
  CHECK(*lsp::progress_token(Json::parse(R"({"token": "a\"b"})"), "token").value() == R"("a\"b")");
  CHECK(*lsp::progress_token(Json::parse(R"({"token": 12})"), "token").value() == "12");
  CHECK_FALSE(lsp::progress_token(Json::parse(R"({"token": null})"), "token").value());
  CHECK_FALSE(lsp::progress_token(Json::parse(R"({"token": 1.5})"), "token"));
}
