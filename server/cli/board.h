#pragma once
// What a terminal shows of a session, as pure functions of its snapshot.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/brainstorm.h"

namespace brainstorm::cli {

/// Columns that a text takes on a terminal: wide signs take two, combining ones none.
std::size_t cells(std::string_view text);
/// The text cut to `width` columns, with an ellipsis where something is missing.
std::string fit(std::string_view text, std::size_t width);
/// The same, filled up with spaces.
std::string pad(std::string_view text, std::size_t width);

struct BoardStyle {
  std::size_t width = 80;
  bool colours = false;
};

/// The live board: title, one line an agent, what it waits for. No line is wider than the terminal.
std::vector<std::string> board_lines(const Snapshot& snapshot, const BoardStyle& style);

/// What has happened between two snapshots, for terminals and logs that cannot redraw. `before` may
/// be null.
std::vector<std::string> progress_lines(const Snapshot* before, const Snapshot& now);

}  // namespace brainstorm::cli
