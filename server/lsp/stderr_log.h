#pragma once
#include <string_view>

namespace brainstorm {

/// One line on stderr, cut at 4 KiB. Never waits and never fails: when nobody empties the pipe, the
/// line is lost.
void stderr_log(std::string_view text);

}  // namespace brainstorm
