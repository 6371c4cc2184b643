#pragma once
// The list of sessions, read from the first bytes of each state file.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "commands/ports.h"
#include "server/store/tree.h"

namespace brainstorm {

/// Newest first, by the instant in the directory's name; only the heads of those listed are read.
/// Without .workflow the list is empty.
Result<Store::Listing> list_sessions(const Tree& tree, std::size_t limit);

/// The summary from the first lines of a state as write_yaml writes it; nullopt when something is
/// missing there or written otherwise: then the whole file has to be parsed.
std::optional<SessionHead> scan_head(std::string_view bytes, const std::string& id);

}  // namespace brainstorm
