#include "server/lsp/pacing.h"

#include <doctest/doctest.h>

using namespace brainstorm;

namespace {

Delta piece(const std::string& agent, std::int64_t offset, const std::string& text) {
  return {"s", agent, offset, text};
}

}  // namespace

TEST_CASE("text is joined to ten pieces a second and agent, and none is lost") {
  DeltaPacer pacer;
  std::string seen;
  std::int64_t offset = 0;
  int pieces = 0;
  const auto take = [&](const Delta& delta) {
    CHECK(delta.offset == static_cast<std::int64_t>(seen.size()));
    seen += delta.text;
    ++pieces;
  };
  for (int ms = 0; ms < 1000; ++ms) {
    if (const auto now = pacer.add(piece("critic", offset++, "x"), Millis{ms})) take(*now);
    for (const Delta& delta : pacer.take(Millis{ms})) take(delta);
  }
  CHECK(pieces == 10);
  for (const Delta& delta : pacer.finish("s")) take(delta);
  CHECK(seen.size() == 1000);
  CHECK_FALSE(pacer.due());
}

TEST_CASE("agents do not slow each other") {
  DeltaPacer pacer;
  CHECK(pacer.add(piece("critic", 0, "a"), Millis{0}));
  CHECK(pacer.add(piece("analyst", 0, "b"), Millis{0}));
  CHECK_FALSE(pacer.add(piece("critic", 1, "c"), Millis{50}));
  REQUIRE(pacer.due());
  CHECK(*pacer.due() == Millis{100});
}

TEST_CASE("an agent that starts again replaces what was held of its first try") {
  DeltaPacer pacer;
  (void)pacer.add(piece("critic", 0, "first"), Millis{0});
  (void)pacer.add(piece("critic", 5, " try"), Millis{10});
  (void)pacer.add(piece("critic", 0, "second"), Millis{20});
  const auto ready = pacer.take(Millis{100});
  REQUIRE(ready.size() == 1);
  CHECK(ready[0].offset == 0);
  CHECK(ready[0].text == "second");
}

TEST_CASE("finishing one session leaves the others alone") {
  DeltaPacer pacer;
  (void)pacer.add({"a", "critic", 0, "1"}, Millis{0});
  (void)pacer.add({"a", "critic", 1, "2"}, Millis{1});
  (void)pacer.add({"b", "critic", 0, "3"}, Millis{0});
  (void)pacer.add({"b", "critic", 1, "4"}, Millis{1});
  CHECK(pacer.finish("a").size() == 1);
  CHECK(pacer.take(Millis{200}).size() == 1);
}
