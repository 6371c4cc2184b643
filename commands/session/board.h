#pragma once
// The status board as Markdown: board.md, for clients that can only open files.

#include <string>

#include "protocol/brainstorm.h"

namespace brainstorm {

std::string render_board(const Snapshot& snapshot);

/// "[Stage 2/4 - DIVERGING]"
std::string stage_title(const Snapshot& snapshot);

/// "3/5 perspectives": how far the agents are.
std::string agents_done(const Snapshot& snapshot);

/// Text for one cell of a Markdown table: one line, nothing that a renderer would act on.
std::string table_cell(const std::string& value);

}  // namespace brainstorm
