#pragma once
// The files of a folder without git's help.

#include <string>

#include "commands/ports.h"

namespace brainstorm {

/// Walks below `folder` without following links to directories, honouring .gitignore files, at most
/// kMaxListedFiles files and two seconds, in slices.
Task<Workspace::Listing> walk_folder(Clock& clock, std::string folder);

}  // namespace brainstorm
