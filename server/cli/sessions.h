#pragma once
// Commands that make sessions work: run, decide, accept, resume, cancel, archive.

#include <string>

#include "commands/task_fwd.h"
#include "server/app.h"
#include "server/cli/arguments.h"
#include "server/cli/keyboard.h"
#include "server/cli/output.h"
#include "server/cli/terminal.h"

namespace brainstorm::cli {

/// What one invocation works with. Everything outlives its commands.
struct Context {
  App& app;
  Output& output;
  TerminalPerson& person;
  Keyboard* keyboard = nullptr;  // null: nobody can be asked
  const Arguments& arguments;
  std::string folder;
  std::string session;  // what runs now; empty: nothing
  bool asking = false;  // a prompt is open
  int signal = 0;       // what asked us to stop; 0: nothing
};

Task<int> run_session(Context& context);
Task<int> decide_session(Context& context);
Task<int> accept_session(Context& context);
Task<int> resume_session(Context& context);
Task<int> cancel_session(Context& context);
Task<int> archive_session(Context& context);

/// Stops the running session after a signal: Ctrl-C cancels it, anything else leaves it resumable.
Task<void> stop_session(Context& context);

/// Text of a session's Markdown file without its front matter, or of any other file of it.
Result<std::string> artefact_text(Context& context, const std::string& session,
                                  const std::string& what, const std::string& agent);

/// A command line that a person can copy: "brainstorm-ls accept swarm-…", with --folder if it was
/// given.
std::string command_line(const Context& context, const std::string& words);

}  // namespace brainstorm::cli
