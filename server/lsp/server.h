#pragma once
// The language server: `brainstorm-ls --stdio`.

#include "server/app.h"

namespace brainstorm {

/// Serves one client over stdin and stdout and returns the process's exit code: 0 after shutdown
/// and exit, else 1. What the client says at initialize is added to `options`.
int run_language_server(AppOptions options);

}  // namespace brainstorm
