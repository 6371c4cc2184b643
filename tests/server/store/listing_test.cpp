#include "server/store/listing.h"

#include <doctest/doctest.h>

#include <chrono>

#include "server/store/yaml.h"
#include "tests/server/store/store_support.h"

using namespace brainstorm;
using test::World;

namespace {

void plant(const std::string& folder, const std::string& id, const std::string& bytes) {
  test::write_file(folder + "/.workflow/" + id + "/workflow-state.yaml", bytes);
}

std::string state_text(const Json& state) {
  return write_yaml(state, {"workflow_id", "mode", "schema", "current_state", "created_at",
                            "last_updated", "expires_at", "original_prompt", "pending_decisions"});
}

std::vector<std::string> ids(const Store::Listing& listing) {
  std::vector<std::string> result;
  for (const auto& head : listing.sessions) result.push_back(head.id);
  return result;
}

}  // namespace

TEST_CASE("a head is read from the first lines alone") {
  Json state = World::state("x", "AWAITING_USER");
  state["pending_decisions"] = Json::array({{{"id", "review-1"}}});
  state["original_prompt"] = "a \"b\" \\ c\u2028 d: 日本\n# e";
  const std::string text = state_text(state) + "broken: [\n";
  auto head = scan_head(text, "the-id");
  REQUIRE(head);
  CHECK(head->id == "the-id");
  CHECK(head->mode == "swarm");
  CHECK(head->state == "AWAITING_USER");
  CHECK(head->question == "a \"b\" \\ c\u2028 d: 日本\n# e");
  CHECK(head->created_at == "2026-01-31T09:05:07Z");
  CHECK(head->updated_at == "2026-01-31T09:06:00Z");
  CHECK(head->expires_at == "2026-02-01T09:06:00Z");
  CHECK(head->has_pending);
  state["pending_decisions"] = Json::array();
  CHECK_FALSE(scan_head(state_text(state), "x")->has_pending);
  CHECK_FALSE(scan_head("mode: \"swarm\"\n", "x"));
  CHECK_FALSE(scan_head("", "x"));
  CHECK_FALSE(scan_head(":\n\n-\n", "x"));
  CHECK_FALSE(scan_head(state_text(state).substr(0, 150), "x"));
}

TEST_CASE("sessions are listed newest first, whatever wrote them, and broken ones counted") {
  test::TempDir dir;
  const std::string folder = dir.path();
  plant(folder, "swarm-session-20260101-000000-aaaaaaaa", state_text(World::state("x")));
  plant(folder, "tournament-20260301-000000-bbbbbbbb", state_text(World::state("x")));
  plant(folder, "swarm-session-20260201-000000-cccccccc", state_text(World::state("x")));
  // Written by hand, with the summary at the end and far down.
  plant(folder, "my-own-20260115-000000",
        "notes: |\n  " + std::string(5000, 'x') +
            "\nworkflow_id: x\nmode: swarm\n"
            "current_state: FRAMING\noriginal_prompt: >\n  folded\n  text\npending_decisions: "
            "[{id: a}]\n");
  plant(folder, "swarm-session-20260401-000000-dddddddd", "broken: [");
  plant(folder, "swarm-session-20260402-000000-eeeeeeee", "");
  std::filesystem::create_directories(folder + "/.workflow/swarm-session-20260403-000000-ffffffff");
  std::filesystem::create_directories(folder + "/.workflow/roles");
  std::filesystem::create_directories(folder + "/.workflow/notes-20260404-000000");
  test::write_file(folder + "/.workflow/swarm-session-20260404-000000-00000000", "a file");
  plant(folder, "archive/swarm-session-20260501-000000-00000000", state_text(World::state("x")));
  // A broken main file beside a good copy.
  plant(folder, "swarm-session-20260102-000000-99999999", "x: [");
  test::write_file(
      folder + "/.workflow/swarm-session-20260102-000000-99999999/workflow-state.yaml.bak",
      state_text(World::state("x")));
  World world(folder);
  auto all = world.store.list(100);
  REQUIRE(all);
  CHECK(ids(*all) == std::vector<std::string>{"tournament-20260301-000000-bbbbbbbb",
                                              "swarm-session-20260201-000000-cccccccc",
                                              "my-own-20260115-000000",
                                              "swarm-session-20260102-000000-99999999",
                                              "swarm-session-20260101-000000-aaaaaaaa"});
  CHECK(all->unreadable == 3);
  CHECK(all->sessions[2].question == "folded text\n");
  CHECK(all->sessions[2].has_pending);
  CHECK(ids(*world.store.list(2)).size() == 2);
  CHECK(world.store.list(0)->sessions.empty());
}

TEST_CASE("ten thousand sessions") {
  test::TempDir dir;
  Json state = World::state("x");
  state["stages"] = {{"filler", std::string(5000, 'x')}};
  const std::string text = state_text(state);
  for (int i = 0; i < 10000; ++i) {
    char id[64];
    std::snprintf(id, sizeof id, "swarm-session-2026%02d%02d-%06d-0a1b2c3d", 1 + i % 12, 1 + i % 28,
                  i);
    plant(dir.path(), id, text);
  }
  World world(dir.path());
  const auto measure = [&](std::size_t limit) {
    const auto begin = std::chrono::steady_clock::now();
    auto list = world.store.list(limit);
    REQUIRE(list);
    CHECK(list->sessions.size() == limit);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  };
  measure(10);
  const double newest = measure(200);
  const double all = measure(10000);
  MESSAGE("newest 200: ", newest, " ms, all 10000: ", all, " ms");
  // Wide margins: the figures proper are the benchmark's business.
  CHECK(newest < 500);
  CHECK(all < 10000);
}
