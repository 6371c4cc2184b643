#pragma once
// The command line front end.

#include <string>
#include <vector>

namespace brainstorm::cli {

/// Runs one command; returns the process's exit code. `words` are the arguments without the
/// program's name.
int run(const std::vector<std::string>& words);

}  // namespace brainstorm::cli
