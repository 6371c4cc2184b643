// Bytes in, bytes out: headers, lengths, encodings and whatever is no message. Numbers are those of
// known faults in other servers, named for what they got wrong.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/wire/support.h"

using namespace brainstorm;
using test::code_of;
using test::Json;
using test::Server;

namespace {

const std::string kAsk = R"({"jsonrpc":"2.0","id":"ask","method":"lives/ask"})";

std::string headed(const std::string& header, const std::string& body) { return header + body; }
std::string length(const std::string& body) { return std::to_string(body.size()); }

}  // namespace

TEST_CASE("wire 3 4 5 6: headers as other clients write them") {
  for (const std::string& header : std::vector<std::string>{
           "Content-Length: " + length(kAsk) + "\r\n\r\n",
           "content-length: " + length(kAsk) + "\r\n\r\n",
           "CONTENT-LENGTH:" + length(kAsk) + "\r\n\r\n",
           "Content-Length :  " + length(kAsk) + "  \r\n\r\n",
           "Content-Length: " + length(kAsk) + "\n\n",
           "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: " +
               length(kAsk) + "\r\n\r\n",
           "X-Unknown: 5\r\nContent-Length: " + length(kAsk) + "\r\n\r\n",
           "a line of junk\r\nContent-Length: " + length(kAsk) + "\r\n\r\n"}) {
    CAPTURE(header);
    Server server;
    REQUIRE(code_of(server.begin()) == 0);
    REQUIRE(server.raw(headed(header, kAsk)));
    CHECK(code_of(server.response("ask")) == -32601);
    CHECK(server.lives());
    CHECK(server.leave() == 0);
    CHECK(server.pure());
  }
}

TEST_CASE("wire 1 2 7 9 13 14: lengths count bytes, text comes through whole") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  // An unknown command is named in its error: the text makes the whole way there and back.
  const std::vector<std::pair<std::string, std::string>> texts{
      {R"("名前🎈é")", "名前🎈é"},
      {R"("\u003c\ud83c\udf88\u003e")", "<🎈>"},
      {R"("a\ud800b")",
       "a\xEF\xBF\xBD"
       "b"},
  };
  int id = 0;
  for (const auto& one : texts) {
    const auto& written = one.first;
    const auto& read = one.second;
    CAPTURE(written);
    const std::string body = R"({"jsonrpc":"2.0","id":)" + std::to_string(++id) +
                             R"(,"method":"workspace/executeCommand","params":{"command":)" +
                             written + "}}";
    REQUIRE(server.raw(frame(body)));
    const Json answer = server.response(id);
    CHECK(code_of(answer) != 0);
    CHECK(answer["error"]["message"].get<std::string>().find(read) != std::string::npos);
  }
  CHECK(server.leave() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire 8 9: a message byte by byte") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  const std::string message = frame(R"({"jsonrpc":"2.0","id":"名","method":"lives/ask"})");
  for (const char byte : message) REQUIRE(server.raw(std::string_view(&byte, 1)));
  CHECK(code_of(server.response("名")) == -32601);
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 30: what is no message is answered once, and the server lives") {
  struct Case {
    std::string body;
    Json id;
    int code;
  };
  const std::string deep(200'000, '[');
  const std::vector<Case> cases{
      {"[]", nullptr, -32600},
      {"[" + kAsk + "," + kAsk + "]", nullptr, -32600},
      {"7", nullptr, -32600},
      {"\"text\"", nullptr, -32600},
      {"null", nullptr, -32600},
      {"{}", nullptr, -32600},
      {R"({"jsonrpc":"2.0","id":5,"method":7})", 5, -32600},
      {R"({"jsonrpc":"2.0","id":"x","method":null,"params":{}})", "x", -32600},
      {R"({"jsonrpc":"2.0","id":{},"method":"lives/ask"})", nullptr, -32600},
      {R"({"jsonrpc":"2.0","id":[1],"method":"lives/ask"})", nullptr, -32600},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"lives/ask"})", nullptr, -32600},
      {R"({"jsonrpc":"2.0","id":1,)", nullptr, -32700},
      {"", nullptr, -32700},
      {"\xEF\xBB\xBF", nullptr, -32700},
      {"{\"a\": \"\xC3\x28\"}", nullptr, -32700},
      {"{\"a\": \"\xED\xA0\x80\"}", nullptr, -32700},
      {deep, nullptr, -32700},
      {R"({"id":9,"method":"lives/ask"})", 9, -32601},
      {R"({"jsonrpc":"1.0","id":10,"method":"lives/ask"})", 10, -32601},
  };
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  for (const Case& one : cases) {
    CAPTURE(one.body.substr(0, 60));
    REQUIRE(server.raw(frame(one.body)));
    const Json answer = server.response(one.id);
    CHECK(code_of(answer) == one.code);
    CHECK(answer.contains("id"));
    CHECK_FALSE(answer.contains("result"));
    CHECK(server.lives());
  }
  CHECK(server.leave() == 0);
  CHECK(server.pure());
}

TEST_CASE("wire 29: ids come back exactly as they were") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  for (const Json& id : std::vector<Json>{0, -1, 9'007'199'254'740'993, "0", "1", "", "a b/🎈",
                                          "00000000-0000-4000-8000-000000000000"}) {
    CAPTURE(id.dump());
    server.send({{"jsonrpc", "2.0"}, {"id", id}, {"method", "lives/ask"}});
    const Json answer = server.response(id);
    REQUIRE(answer.is_object());
    CHECK(answer["id"].type_name() == id.type_name());
  }
  CHECK(server.leave() == 0);
}

TEST_CASE("wire 12 28: lengths that cannot be") {
  struct Case {
    std::string header;
    bool fatal;
  };
  const std::vector<Case> cases{
      {"Content-Length: 99999999999999\r\n\r\n", true},
      {"Content-Length: 999999999999999999999999999999\r\n\r\n", true},
      {"Content-Length: -5\r\n\r\n", true},
      {"Content-Length: five\r\n\r\n", true},
      {"Content-Length: \r\n\r\n", true},
      {"X-Long: " + std::string(9000, 'x'), true},
  };
  for (const Case& one : cases) {
    CAPTURE(one.header.substr(0, 60));
    Server server;
    REQUIRE(code_of(server.begin()) == 0);
    REQUIRE(server.raw(one.header));
    CHECK(code_of(server.response(nullptr)) == -32600);
    CHECK(server.ended() == 1);
    CHECK_FALSE(server.errors().empty());
    CHECK(server.pure());
  }
}

TEST_CASE("wire 12: a message over the cap is skipped, whatever is in it") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  const std::size_t size = (std::size_t{64} << 20) + 1;
  REQUIRE(server.raw("Content-Length: " + std::to_string(size) + "\r\n\r\n"));
  const std::string chunk(std::size_t{1} << 20, 'x');
  for (std::size_t sent = 0; sent < size; sent += chunk.size()) {
    REQUIRE(server.raw(std::string_view(chunk).substr(0, std::min(chunk.size(), size - sent))));
  }
  CHECK(code_of(server.response(nullptr)) == -32600);
  CHECK(server.lives());
  CHECK(server.status_kb("VmHWM") < 60'000);
  CHECK(server.leave() == 0);
}

TEST_CASE("wire: a megabyte is taken whole") {
  Server server;
  REQUIRE(code_of(server.begin()) == 0);
  const std::string text(1'100'000, 'e');
  const Json opened{
      {"textDocument",
       {{"uri", "file:///w/a.txt"}, {"languageId", "x"}, {"version", 1}, {"text", text}}}};
  server.notify("textDocument/didOpen", opened);
  CHECK(server.lives());
  CHECK(server.leave() == 0);
}
