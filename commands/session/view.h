#pragma once
// Sessions as people and clients see them, from state and files.

#include <string>

#include "commands/session/manager.h"
#include "commands/session/mode.h"
#include "commands/session/state.h"

namespace brainstorm {

/// The picture of a session as its files tell it.
Snapshot picture(const SessionState& state, const Mode& mode, Store& store,
                 const std::string& folder);

/// What every session command answers.
SessionRef reference(const SessionState& state);

/// Unfinished, and nobody is asked: resume would go on with it.
bool is_resumable(const SessionState& state);

/// What happened, where it stands, what can be done next: in plain words.
std::string explain_state(const SessionState& state, const Mode& mode);

/// "file:///…" of an absolute path, percent-encoded.
std::string file_uri(const std::string& path);

}  // namespace brainstorm
