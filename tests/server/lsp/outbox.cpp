#include "server/lsp/outbox.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace brainstorm;

namespace {

/// A pipe with room for some bytes.
struct Pipe {
  std::size_t room = 0;
  std::string taken = {};
  int writes = 0;
  int blocked = 0;
  bool gone = false;

  Outbox::Write write() {
    return [this](std::string_view bytes) -> Result<std::size_t> {
      if (gone) return Error{ErrorCode::io_failed, "the reader is gone", "Start again.", {}};
      ++writes;
      const std::size_t count = std::min(room, bytes.size());
      taken += bytes.substr(0, count);
      room -= count;
      return count;
    };
  }
  Outbox::Blocked on_blocked() {
    return [this] { ++blocked; };
  }
};

constexpr std::size_t kWide = std::size_t{1} << 30;

}  // namespace

TEST_CASE("outbox: a frame goes out at once, in one write") {
  Pipe pipe{kWide};
  Outbox outbox(pipe.write(), pipe.on_blocked());
  outbox.push("one", Keep::always);
  CHECK(pipe.taken == "one");
  CHECK(pipe.writes == 1);
  CHECK(outbox.empty());
  CHECK(pipe.blocked == 0);
}

TEST_CASE("outbox: frames held together go out in one write, in order") {
  Pipe pipe{kWide};
  Outbox outbox(pipe.write(), pipe.on_blocked());
  outbox.hold();
  outbox.push("one ", Keep::always);
  outbox.push("two ", Keep::loosely);
  outbox.push("three", Keep::latest, "k");
  CHECK(pipe.taken.empty());
  outbox.release();
  CHECK(pipe.taken == "one two three");
  CHECK(pipe.writes == 1);
}

TEST_CASE("outbox: a frame cut by a full pipe goes on where it stopped") {
  Pipe pipe{3};
  Outbox outbox(pipe.write(), pipe.on_blocked());
  outbox.push("abcdef", Keep::always);
  outbox.push("ghi", Keep::always);
  CHECK(pipe.taken == "abc");
  CHECK(pipe.blocked == 1);
  CHECK(outbox.bytes() == 6);
  pipe.room = 1;
  outbox.flush();
  CHECK(pipe.blocked == 2);
  pipe.room = kWide;
  outbox.flush();
  CHECK(pipe.taken == "abcdefghi");
  CHECK(outbox.empty());
  CHECK(outbox.bytes() == 0);
}

TEST_CASE("outbox: pictures of the same thing merge while they wait") {
  Pipe pipe{0};
  Outbox outbox(pipe.write(), pipe.on_blocked());
  outbox.push("first.", Keep::always);
  outbox.push("A1.", Keep::latest, "a");
  outbox.push("B1.", Keep::latest, "b");
  outbox.push("A2-longer.", Keep::latest, "a");
  pipe.room = kWide;
  outbox.flush();
  CHECK(pipe.taken == "first.A2-longer.B1.");
  CHECK(outbox.bytes() == 0);
  outbox.push("A3.", Keep::latest, "a");
  CHECK(pipe.taken == "first.A2-longer.B1.A3.");
}

TEST_CASE("outbox: beyond the budget only streamed text is lost") {
  Pipe pipe{0};
  Outbox outbox(pipe.write(), pipe.on_blocked(), 100);
  const std::string thirty(30, 'r');
  outbox.push("head.", Keep::always);
  for (int i = 0; i < 5; ++i) outbox.push(std::string(30, 'd'), Keep::loosely);
  CHECK(outbox.bytes() <= 100);
  CHECK(outbox.dropped() == 2);
  for (int i = 0; i < 10; ++i) outbox.push(thirty, Keep::always);
  CHECK(outbox.dropped() == 5);
  outbox.push("picture", Keep::latest, "p");
  pipe.room = kWide;
  outbox.flush();
  CHECK(std::count(pipe.taken.begin(), pipe.taken.end(), 'd') == 1);  // of "head."
  CHECK(std::count(pipe.taken.begin(), pipe.taken.end(), 'r') == 300 + 1);
  CHECK(pipe.taken.ends_with("picture"));
}

TEST_CASE("outbox: a million pieces of text for a client that does not read stay in the budget") {
  Pipe pipe{0};
  Outbox outbox(pipe.write(), pipe.on_blocked());
  const std::string piece(200, 'x');
  for (int i = 0; i < 1'000'000; ++i) outbox.push(piece, Keep::loosely);
  CHECK(outbox.bytes() <= Outbox::kBudget);
  CHECK(pipe.blocked == 1);
}

TEST_CASE("outbox: once the reader is gone everything is thrown away") {
  Pipe pipe{0};
  Outbox outbox(pipe.write(), pipe.on_blocked());
  outbox.push("one", Keep::always);
  outbox.push("A1", Keep::latest, "a");
  pipe.gone = true;
  outbox.flush();
  CHECK(outbox.broken());
  CHECK(outbox.empty());
  outbox.push("A2", Keep::latest, "a");
  outbox.push("two", Keep::always);
  CHECK(outbox.bytes() == 0);
}
