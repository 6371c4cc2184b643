#include "protocol/framing.h"

#include <doctest/doctest.h>

#include <vector>

namespace brainstorm {
namespace {

using Kind = FrameEvent::Kind;

std::vector<FrameEvent> drain(Framer& framer) {
  std::vector<FrameEvent> events;
  while (std::optional<FrameEvent> event = framer.next()) events.push_back(*std::move(event));
  return events;
}

std::vector<FrameEvent> split(std::string_view stream, std::size_t max_body = 1000) {
  Framer framer(max_body);
  framer.feed(stream);
  return drain(framer);
}

/// "body:abc warning fatal": texts only where they are the client's bytes.
std::string told(const std::vector<FrameEvent>& events) {
  std::string story;
  for (const FrameEvent& event : events) {
    if (!story.empty()) story += ' ';
    switch (event.kind) {
      case Kind::body:
        story += "body:" + event.text;
        break;
      case Kind::warning:
        story += "warning";
        break;
      case Kind::oversize:
        story += "oversize";
        break;
      case Kind::fatal:
        story += "fatal";
        break;
    }
  }
  return story;
}

struct Row {
  const char* name;
  std::string stream;
  std::string story;
};

std::vector<Row> streams() {
  const std::string after = "Content-Length: 2\r\n\r\n{}";
  return {
      {"one", after, "body:{}"},
      {"two back to back", after + after, "body:{} body:{}"},
      {"empty body", "Content-Length: 0\r\n\r\n" + after, "body: body:{}"},
      {"lower case", "content-length: 2\r\n\r\n{}", "body:{}"},
      {"upper case", "CONTENT-LENGTH: 2\r\n\r\n{}", "body:{}"},
      {"no space", "Content-Length:2\r\n\r\n{}", "body:{}"},
      {"spaces around", "  Content-Length \t:  2 \t\r\n\r\n{}", "body:{}"},
      {"leading zeros", "Content-Length: 0002\r\n\r\n{}", "body:{}"},
      {"content type first",
       "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}",
       "body:{}"},
      {"content type last", "Content-Length: 2\r\ncontent-type: x\r\n\r\n{}", "body:{}"},
      {"unknown header", "X-Trace: 5\r\nContent-Length: 2\r\n\r\n{}", "warning body:{}"},
      {"header name that only begins alike", "Content-Lengthy: 9\r\n" + after, "warning body:{}"},
      {"LF only", "Content-Length: 2\n\n{}" + after, "warning body:{} body:{}"},
      {"text mode's CR CR LF", "Content-Length: 2\r\r\n\r\r\n{}", "body:{}"},
      {"junk line", "Debugger attached.\r\n" + after, "warning body:{}"},
      {"much junk warns once", "a\r\nb\r\n\r\nc\r\n" + after, "warning body:{}"},
      {"junk between messages", after + "oops\r\n" + after, "body:{} warning body:{}"},
      {"binary junk", std::string("\x00\xFF\x1B[31m\r\n", 9) + after, "warning body:{}"},
      {"CJK and emoji count bytes", "Content-Length: 10\r\n\r\n頭脳🦊" + after,
       "body:頭脳🦊 body:{}"},
      {"CR LF inside a body", "Content-Length: 6\r\n\r\n\r\n\r\n{}" + after,
       "body:\r\n\r\n{} body:{}"},
      {"header text inside a body", "Content-Length: 21\r\n\r\n" + after.substr(0, 21) + after,
       "body:" + after.substr(0, 21) + " body:{}"},
      {"the last of two lengths", "Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}", "body:{}"},
      {"at the cap", "Content-Length: 1000\r\n\r\n" + std::string(1000, 'x') + after,
       "body:" + std::string(1000, 'x') + " body:{}"},
      {"over the cap", "Content-Length: 1001\r\n\r\n" + std::string(1001, 'x') + after,
       "oversize body:{}"},
      {"oversize ends with its own bytes", "Content-Length: 1010\r\n\r\n" + std::string(1000, 'x'),
       "oversize"},
      {"as much as is ever skipped", "Content-Length: 1073741824\r\n\r\nxx", "oversize"},
      {"more than that", "Content-Length: 1073741825\r\n\r\n" + after, "fatal"},
      {"absurd", "Content-Length: 99999999999999\r\n\r\n" + after, "fatal"},
      {"over 64 bits", "Content-Length: 99999999999999999999999\r\n\r\n" + after, "fatal"},
      {"negative", "Content-Length: -1\r\n\r\n" + after, "fatal"},
      {"signed", "Content-Length: +2\r\n\r\n{}", "fatal"},
      {"not a number", "Content-Length: two\r\n\r\n{}", "fatal"},
      {"hexadecimal", "Content-Length: 0x2\r\n\r\n{}", "fatal"},
      {"fraction", "Content-Length: 2.0\r\n\r\n{}", "fatal"},
      {"no number", "Content-Length:\r\n\r\n{}", "fatal"},
      {"header without an end", "X: " + std::string(9000, 'a'), "fatal"},
      {"header of many lines",
       [] {
         std::string lines;
         while (lines.size() <= Framer::kMaxHeader) lines += "junk line\r\n";
         return lines;
       }(),
       "warning fatal"},
      {"nothing after a fatal one", "Content-Length: -1\r\n\r\n" + after + after, "fatal"},
      {"incomplete header", "Content-Length: 2\r\n", ""},
      {"incomplete body", "Content-Length: 5\r\n\r\n{}", ""},
      {"nothing", "", ""},
  };
}

TEST_CASE("streams and the messages in them") {
  for (const Row& row : streams()) {
    CAPTURE(row.name);
    CHECK(told(split(row.stream)) == row.story);
  }
}

TEST_CASE("how a stream was cut into reads changes nothing") {
  for (const Row& row : streams()) {
    CAPTURE(row.name);
    const std::vector<FrameEvent> whole = split(row.stream);
    Framer bytewise(1000);
    for (char byte : row.stream) bytewise.feed(std::string_view(&byte, 1));
    CHECK(drain(bytewise) == whole);
    for (std::size_t cut = 0; cut <= row.stream.size(); ++cut) {
      Framer framer(1000);
      framer.feed(std::string_view(row.stream).substr(0, cut));
      std::vector<FrameEvent> events = drain(framer);
      framer.feed(std::string_view(row.stream).substr(cut));
      for (FrameEvent& event : drain(framer)) events.push_back(std::move(event));
      if (events != whole) FAIL_CHECK("cut at " << cut << ": " << told(events));
    }
  }
}

TEST_CASE("what is written is read back, with the bytes counted") {
  for (const std::string& body : {std::string("{}"), std::string(), std::string("頭脳🦊"),
                                  std::string("a\0b", 3), std::string(70'000, 'x')}) {
    const std::string framed = frame(body);
    CHECK(framed.rfind("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n", 0) == 0);
    CHECK(split(framed, 100'000) == std::vector<FrameEvent>{{Kind::body, body}});
  }
}

TEST_CASE("a header block of exactly the cap is still read") {
  const std::string field = "Content-Length: 2\r\n";
  const std::string end = "\r\n";
  const std::size_t room = Framer::kMaxHeader - field.size() - end.size();
  const std::string padding = "X: " + std::string(room - 5, 'a') + "\r\n";
  CHECK(told(split(padding + field + end + "{}")) == "warning body:{}");
  CHECK(told(split("b" + padding + field + end + "{}")) == "warning fatal");
}

TEST_CASE("every event but a body explains itself in printable text") {
  for (const Row& row : streams()) {
    for (const FrameEvent& event : split(row.stream)) {
      if (event.kind == Kind::body) continue;
      CAPTURE(row.name);
      CHECK(event.text.size() > 20);
      CHECK(event.text.size() < 300);
      for (char c : event.text) CHECK(static_cast<unsigned char>(c) >= 0x20);
    }
  }
}

TEST_CASE("a new limit holds from the next header on") {
  Framer framer(10);
  framer.feed("Content-Length: 6\r\n\r\nabc");
  framer.set_max_body(4);
  framer.feed("defContent-Length: 5\r\n\r\nvwxyzContent-Length: 4\r\n\r\nlast");
  CHECK(told(drain(framer)) == "body:abcdef oversize body:last");
}

TEST_CASE("an end of input between messages loses nothing") {
  Framer framer;
  CHECK(framer.at_boundary());
  framer.feed("Content-Length: 2\r\n");
  CHECK_FALSE(framer.at_boundary());
  framer.feed("\r\n{");
  CHECK_FALSE(framer.at_boundary());
  framer.feed("}");
  CHECK(framer.at_boundary());
  framer.feed("C");
  CHECK_FALSE(framer.at_boundary());
}

}  // namespace
}  // namespace brainstorm
