#include "server/lsp/outbox.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace brainstorm;

namespace {

/// A pipe of a given room; `written` is what the reader will see.
struct Pipe {
  explicit Pipe(std::size_t bytes) : room(bytes) {}
  std::size_t room;
  std::string written;
  int writes = 0;
  int blocked = 0;
  bool gone = false;

  Outbox outbox(std::size_t budget = Outbox::kBudget) {
    return Outbox(
        [this](std::string_view bytes) -> Result<std::size_t> {
          if (gone) return Error{ErrorCode::io_failed, "gone", "", {}};
          ++writes;
          const std::size_t count = std::min(room, bytes.size());
          written += bytes.substr(0, count);
          room -= count;
          return count;
        },
        [this] { ++blocked; }, budget);
  }
};

constexpr std::size_t kWide = 1 << 20;

}  // namespace

TEST_CASE("a frame is written at once and in one piece while nothing waits") {
  Pipe pipe{kWide};
  auto outbox = pipe.outbox();
  outbox.push("header and body", Keep::always);
  CHECK(pipe.written == "header and body");
  CHECK(pipe.writes == 1);
  CHECK(outbox.empty());
  CHECK(outbox.bytes() == 0);
}

TEST_CASE("what was held goes out together and in order") {
  Pipe pipe{kWide};
  auto outbox = pipe.outbox();
  outbox.hold();
  for (const char* text : {"a", "b", "c"}) outbox.push(text, Keep::always);
  CHECK(pipe.written.empty());
  outbox.release();
  CHECK(pipe.written == "abc");
  CHECK(pipe.writes == 1);
}

TEST_CASE("every split of a write keeps the bytes whole and in order") {
  const std::string expected = "firstsecondthird";
  for (std::size_t first = 0; first <= expected.size(); ++first) {
    CAPTURE(first);
    Pipe pipe{first};
    auto outbox = pipe.outbox();
    for (const char* text : {"first", "second", "third"}) outbox.push(text, Keep::always);
    while (!outbox.empty()) {
      pipe.room = 1;
      outbox.flush();
    }
    CHECK(pipe.written == expected);
    CHECK(outbox.bytes() == 0);
  }
}

TEST_CASE("a full pipe is reported once until flush comes") {
  Pipe pipe{3};
  auto outbox = pipe.outbox();
  outbox.push("12345", Keep::always);
  CHECK(pipe.blocked == 1);
  outbox.push("678", Keep::always);
  CHECK(pipe.blocked == 1);
  CHECK(pipe.writes == 1);  // not tried again while it is full
  outbox.flush();
  CHECK(pipe.blocked == 2);
  CHECK(outbox.bytes() == 5);
}

TEST_CASE("a newer picture replaces the one that waits, at its place") {
  Pipe pipe{0};
  auto outbox = pipe.outbox();
  outbox.push("0;", Keep::always);  // being written: cannot change any more
  outbox.push("A1;", Keep::latest, "A");
  outbox.push("B1;", Keep::latest, "B");
  outbox.push("reply;", Keep::always);
  outbox.push("A2;", Keep::latest, "A");
  outbox.push("A3!;", Keep::latest, "A");
  CHECK(outbox.bytes() == 2 + 4 + 3 + 6);
  pipe.room = kWide;
  outbox.flush();
  CHECK(pipe.written == "0;A3!;B1;reply;");
}

TEST_CASE("a picture of which a part is out is not replaced") {
  Pipe pipe{1};
  auto outbox = pipe.outbox();
  outbox.push("A1;", Keep::latest, "A");
  outbox.push("A2;", Keep::latest, "A");
  outbox.push("A3;", Keep::latest, "A");
  pipe.room = kWide;
  outbox.flush();
  CHECK(pipe.written == "A1;A3;");
}

TEST_CASE("beyond the budget streamed text goes first, and only that") {
  Pipe pipe{0};
  auto outbox = pipe.outbox(20);
  outbox.push("x", Keep::always);
  outbox.push("delta1;", Keep::loosely);
  outbox.push("delta2;", Keep::loosely);
  CHECK(outbox.dropped() == 0);
  outbox.push("delta3;", Keep::loosely);  // 22 bytes
  CHECK(outbox.dropped() == 1);
  outbox.push("response;", Keep::always);  // 24 bytes
  CHECK(outbox.dropped() == 3);
  CHECK(outbox.bytes() == 10);
  outbox.push("a very long response indeed;", Keep::always);
  outbox.push("delta4;", Keep::loosely);
  CHECK(outbox.dropped() == 4);
  pipe.room = kWide;
  outbox.flush();
  CHECK(pipe.written == "xresponse;a very long response indeed;");
}

TEST_CASE("a reader that stays away costs no more than the budget and one picture each") {
  Pipe pipe{0};
  auto outbox = pipe.outbox(1000);
  for (int i = 0; i < 10000; ++i) {
    outbox.push("some streamed text", Keep::loosely);
    outbox.push("a picture of session " + std::to_string(i % 10), Keep::latest,
                std::to_string(i % 10));
  }
  CHECK(outbox.bytes() < 1000 + 10 * 30);
}

TEST_CASE("when the reader is gone everything is thrown away") {
  Pipe pipe{0};
  auto outbox = pipe.outbox();
  outbox.push("waits", Keep::always);
  outbox.push("more", Keep::loosely);
  pipe.gone = true;
  outbox.flush();
  CHECK(outbox.broken());
  CHECK(outbox.empty());
  outbox.push("later", Keep::always);
  CHECK(outbox.bytes() == 0);
}
