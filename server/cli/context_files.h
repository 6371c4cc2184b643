#pragma once
#include <string>
#include <vector>

#include "commands/session/manager.h"
#include "protocol/result.h"

namespace brainstorm::cli {

/// The files named by --context. Our own ignore rules do not apply to what a person names.
/// invalid_argument names the file that cannot be used: absent, no text, over 1 MiB.
Result<std::vector<ContextItem>> read_context(const std::vector<std::string>& paths);

}  // namespace brainstorm::cli
