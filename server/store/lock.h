#pragma once
// The exclusive right to work on a session: an OS advisory lock on .session.lock, whose content
// tells people (and other hosts) who holds it. Written in place and never replaced: that would drop
// the lock.

#include <string>

#include "commands/ports.h"
#include "server/store/files.h"

namespace brainstorm {

/// What .session.lock says; empty members are unknown.
struct LockOwner {
  std::string pid;
  std::string host;
  std::string since;  // ISO 8601, UTC
};
/// Reads the YAML form and the plain one of two lines (id and instant, in any order).
LockOwner parse_lock(const std::string& content);

/// Takes the lock in an open session directory and writes ours into it. session_locked with pid,
/// host and since when another process holds it or a process of another host renewed it within 30
/// minutes.
Result<Descriptor> take_lock(int directory, const std::string& session, const std::string& shown,
                             Clock& clock);
/// Writes who we are and the present instant.
void renew_lock(int lock, const std::string& session, Clock& clock);
/// Empties the file; closing the descriptor gives the lock up.
void release_lock(int lock);
/// Whether the lock file in that directory is the one that `lock` holds.
bool is_lock_of(int directory, int lock);
/// Whether nobody on this host holds the lock of that directory.
bool is_unlocked(int directory);

}  // namespace brainstorm
