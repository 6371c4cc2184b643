#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/os/clock.h"
#include "server/store/file_store.h"
#include "tests/server/os/support.h"

namespace brainstorm::test {

/// A clock whose wall time the test sets.
class SetClock : public SystemClock {
 public:
  WallTime wall() const override { return SystemClock::wall() + offset; }
  Millis offset{0};
};

inline const std::string kId = "swarm-session-20260131-090507-0a1b2c3d";

/// A loop, a clock and a store on a folder.
struct World {
  explicit World(const std::string& path)
      : folder(path), store(io.get_executor(), clock, sync, path) {}

  Result<std::unique_ptr<SessionLock>> create(const std::string& id, const Json& state) {
    const DocumentView view{state, {}, leading};
    return run(io, store.create(id, view));
  }
  Result<std::unique_ptr<SessionLock>> create(const std::string& id = kId) {
    return create(id, state(id));
  }
  Ok write_state(const Json& state, Durability durability = Durability::synced,
                 const std::string& id = kId) {
    const DocumentView view{state, {}, leading};
    return run(io, store.write_state(id, view, durability));
  }
  Ok put(const std::string& name, const std::string& body,
         Durability durability = Durability::synced, const Json& front = {{"k", "v"}}) {
    const DocumentView view{front, body, {}};
    return run(io, store.put(kId, name, view, durability));
  }
  static Json state(const std::string& id, const std::string& current = "DIVERGING") {
    return {{"workflow_id", id},
            {"mode", "swarm"},
            {"schema", 1},
            {"current_state", current},
            {"created_at", "2026-01-31T09:05:07Z"},
            {"last_updated", "2026-01-31T09:06:00Z"},
            {"expires_at", "2026-02-01T09:06:00Z"},
            {"original_prompt", "Should we \"replace\" the parser?"},
            {"pending_decisions", Json::array()}};
  }
  std::string at(const std::string& name, const std::string& id = kId) const {
    return folder + "/.workflow/" + id + "/" + name;
  }

  std::string folder;
  asio::io_context io;
  SetClock clock;
  SyncThread sync;
  std::vector<std::string_view> leading = {
      "workflow_id",  "mode",       "schema",          "current_state",    "created_at",
      "last_updated", "expires_at", "original_prompt", "pending_decisions"};
  FileStore store;
};

/// "ok", or the error's wire name.
template <class T>
std::string outcome(const Result<T>& result) {
  return result ? "ok" : std::string(to_string(result.error().code));
}

/// Names in a directory, sorted.
inline std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace brainstorm::test
