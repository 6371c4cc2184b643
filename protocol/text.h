#pragma once
// Text as Unicode: everything inside is valid UTF-8; other units exist only at the edges.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace brainstorm::text {

bool is_valid_utf8(std::string_view text);
/// Every invalid sequence becomes U+FFFD.
std::string repair_utf8(std::string_view text);

/// Unicode code points (the unit of prompt lengths and delta offsets). `text` is valid UTF-8.
std::size_t code_points(std::string_view text);
/// UTF-16 code units (the default unit of LSP positions).
std::size_t utf16_units(std::string_view text);
/// Byte offset of a UTF-16 column within one line; past the end → the line's length; inside a
/// surrogate pair → the start of its character.
std::size_t byte_of_utf16(std::string_view line, std::size_t column);

/// The first `count` code points; an ellipsis replaces the last one where something was cut.
std::string shorten(std::string_view text, std::size_t count);

/// Without white space at both ends (ASCII and the common Unicode spaces).
std::string_view trim(std::string_view text);
/// Runs of white space and control characters become one space, none at the ends: for titles, board
/// lines, log lines.
std::string one_line(std::string_view text);
/// Without C0/C1 control characters and escape sequences, newline and tab kept: for text of models
/// and workspaces that a terminal will show.
std::string printable(std::string_view text);

std::string lower_ascii(std::string_view text);
/// Without their \n or \r\n; a newline at the very end starts no further line.
std::vector<std::string_view> lines(std::string_view text);
bool starts_with_ci(std::string_view text, std::string_view prefix);
bool contains_ci(std::string_view text, std::string_view part);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace brainstorm::text
