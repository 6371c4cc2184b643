#pragma once
// Folders that the person has declared trustworthy with --trust, kept beside their settings.

#include <string>
#include <vector>

#include "protocol/result.h"

namespace brainstorm::cli {

/// One absolute path a line; a missing file is an empty list.
std::vector<std::string> trusted_folders(const std::string& config_dir);
/// Adds a folder once. read_only or io_failed when the list cannot be written.
Ok remember_trust(const std::string& config_dir, const std::string& folder);

}  // namespace brainstorm::cli
