#pragma once
// One open workspace folder, and names of sessions in it.

#include <optional>
#include <string>
#include <vector>

#include "commands/ports.h"
#include "commands/settings.h"

namespace brainstorm {

struct Folder {
  std::string path;
  Store* store = nullptr;
  Workspace* workspace = nullptr;
  const Settings* settings = nullptr;
};

/// Ids that `wanted` may mean: the id itself; otherwise every one it is a prefix of, where "swarm-"
/// also stands for "swarm-session-", or whose random part (the last eight characters) it is.
std::vector<std::string> matching_sessions(const std::vector<SessionHead>& heads,
                                           const std::string& wanted);

}  // namespace brainstorm
