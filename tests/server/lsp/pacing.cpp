#include "server/lsp/pacing.h"

#include <doctest/doctest.h>

#include <string>

using namespace brainstorm;

namespace {

Delta piece(const std::string& agent, std::int64_t offset, const std::string& text) {
  return {"s1", agent, offset, text};
}

}  // namespace

TEST_CASE("pacing: ten pieces a second and agent, nothing is lost") {
  DeltaPacer pacer;
  std::string received;
  int sent = 0;
  for (int at = 0; at < 1000; ++at) {
    if (auto now = pacer.add(piece("critic", at, "x"), Millis(at))) {
      CHECK(now->offset == static_cast<std::int64_t>(received.size()));
      received += now->text;
      ++sent;
    }
    for (const Delta& due : pacer.take(Millis(at))) {
      CHECK(due.offset == static_cast<std::int64_t>(received.size()));
      received += due.text;
      ++sent;
    }
  }
  for (const Delta& rest : pacer.finish("s1")) received += rest.text;
  CHECK(sent <= 11);
  CHECK(received == std::string(1000, 'x'));
}

TEST_CASE("pacing: agents do not slow each other down") {
  DeltaPacer pacer;
  CHECK(pacer.add(piece("critic", 0, "a"), Millis(0)));
  CHECK(pacer.add(piece("optimist", 0, "b"), Millis(1)));
  CHECK_FALSE(pacer.add(piece("critic", 1, "c"), Millis(2)));
  REQUIRE(pacer.due());
  CHECK(*pacer.due() == Millis(100));
  CHECK(pacer.take(Millis(99)).empty());
  const auto due = pacer.take(Millis(100));
  REQUIRE(due.size() == 1);
  CHECK(due[0].text == "c");
  CHECK(due[0].offset == 1);
}

TEST_CASE("pacing: nothing held, nothing due") {
  DeltaPacer pacer;
  CHECK_FALSE(pacer.due());
  CHECK(pacer.add(piece("critic", 0, "a"), Millis(0)));
  CHECK_FALSE(pacer.due());
  CHECK_FALSE(pacer.add(piece("critic", 1, ""), Millis(1)));
  CHECK_FALSE(pacer.due());
}

TEST_CASE("pacing: finishing one session leaves the others alone") {
  DeltaPacer pacer;
  pacer.add({"s1", "a", 0, "1"}, Millis(0));
  pacer.add({"s1", "a", 1, "2"}, Millis(1));
  pacer.add({"s2", "a", 0, "3"}, Millis(0));
  pacer.add({"s2", "a", 1, "4"}, Millis(1));
  const auto rest = pacer.finish("s1");
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].text == "2");
  const auto other = pacer.take(Millis(200));
  REQUIRE(other.size() == 1);
  CHECK(other[0].session == "s2");
}
