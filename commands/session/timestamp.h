#pragma once
// UTC instants as text: in files, on the wire and in names.

#include <optional>
#include <string>
#include <string_view>

#include "commands/ports.h"

namespace brainstorm {

/// "2026-01-31T09:05:07Z"
std::string iso8601(WallTime time);
std::optional<WallTime> parse_iso8601(std::string_view text);
/// "20260131-090507", for directory names.
std::string compact_time(WallTime time);
/// "2:10" for 130 s: minutes may exceed 59.
std::string minutes_seconds(Millis duration);

}  // namespace brainstorm
