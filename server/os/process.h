#pragma once
// Child processes: an argument vector (never a shell), no terminal, no stdin, none of our
// descriptors, their own process group, bounded output, an end in time.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands/ports.h"
#include "commands/task_fwd.h"
#include "protocol/result.h"

namespace brainstorm {

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH unless it holds a '/'
  std::string cwd;                // empty: ours
  std::optional<std::map<std::string, std::string>> env;  // the whole environment; unset: ours
  Millis timeout = std::chrono::seconds(30);
  std::size_t max_output = std::size_t{1} << 20;  // bytes kept of stdout; of stderr 64 KiB
};

struct Finished {
  int code = 0;     // exit code, or 128 + the signal's number
  std::string out;  // at most max_output bytes
  std::string err;
  bool truncated = false;  // more was printed than kept
};

/// Runs until the child has exited. After the timeout, or when cancelled, the group gets TERM and
/// two seconds later KILL; whatever the group left behind is killed in any case, and the child is
/// reaped. Fails with not_found (no such program or directory), deadline or io_failed. The clock
/// outlives the call.
Task<Result<Finished>> run_process(Clock& clock, Command command);

/// Our environment, as a base for Command::env.
std::map<std::string, std::string> environment();

}  // namespace brainstorm
