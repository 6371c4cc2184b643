#pragma once
// Messages from other processes: `inbox/{id}.json`, each answered by `inbox/{id}.outcome.json`.
// Both are created whole and exclusively, so that the first one wins and no reader sees half of
// one.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands/ports.h"
#include "server/store/tree.h"

namespace brainstorm {

class Inbox {
 public:
  Inbox(const Tree& tree, Clock& clock) : tree_(tree), clock_(clock) {}

  Ok post(const std::string& session, const std::string& id, const Json& body);
  Ok settle(const std::string& session, const std::string& id, const Json& outcome);
  /// A message that is no readable JSON is listed with a null body.
  std::vector<std::pair<std::string, std::unique_ptr<Json>>> unhandled(const std::string& session);
  std::unique_ptr<Json> outcome(const std::string& session, const std::string& id);

  /// The open directory under a shared lock, which is how other processes know that somebody waits.
  Result<Descriptor> hold(const std::string& session);
  bool is_held(const std::string& session);

 private:
  Ok create(const std::string& session, const std::string& id, const std::string& ending,
            const Json& body);
  Result<Descriptor> open(const std::string& session) const;

  const Tree& tree_;
  Clock& clock_;
};

}  // namespace brainstorm
