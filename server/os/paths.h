#pragma once
// Paths and file URIs. All paths are absolute UTF-8 strings with '/'.

#include <string>
#include <string_view>

#include "protocol/result.h"

namespace brainstorm::paths {

/// $HOME, else the password database; empty when neither knows.
std::string home();
/// $XDG_CONFIG_HOME/brainstorm-ls or ~/.config/brainstorm-ls; relative values are ignored, as the
/// XDG specification asks. Empty without a home.
std::string config_dir();
std::string cache_dir();
std::string state_dir();

/// The path with every link resolved. not_found.
Result<std::string> real(const std::string& path);
/// `path` (absolute, or relative to `root`) with its links resolved when it exists and lies in
/// `root`: not_found, or outside_workspace.
Result<std::string> inside(const std::string& root, const std::string& path);
/// Whether `path` is `root` or below it, by their text alone.
bool is_below(std::string_view root, std::string_view path);

/// "file:///home/me/a%20b" → "/home/me/a b". invalid_argument for another scheme, a foreign host, a
/// broken escape or a NUL. A query or fragment is dropped.
Result<std::string> from_uri(std::string_view uri);
/// The URI of an absolute path, escaped as VS Code does it.
std::string to_uri(std::string_view path);
/// Whether two URIs name the same file: compared decoded, drive letters in lower case, so that
/// /c%3A/x and /C:/x agree. Echo a client's own text; never rewrite it.
bool same_uri(std::string_view left, std::string_view right);

}  // namespace brainstorm::paths
