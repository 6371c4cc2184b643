#pragma once
// YAML as a notation for JSON values: a small writer whose output no reader can misunderstand, and
// a reader that refuses what a hostile file could use against us.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json.h"
#include "protocol/result.h"

namespace brainstorm {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr int kMaxYamlDepth = 32;
inline constexpr int kMaxYamlNodes = 20000;

/// Block style, two spaces. Every string is double-quoted, numbers, booleans and null are plain;
/// keys are plain only where they are identifiers that no reader takes for another type. Keys of
/// `leading` come first (in that order, at every level), the rest by name. Invalid UTF-8 becomes
/// U+FFFD, a number that is not finite becomes null. Ends with a newline.
std::string write_yaml(const Json& value, const std::vector<std::string_view>& leading = {});

/// Where the members of a document stand: path → line, 1-based. Paths are keys joined by '.', items
/// of lists are "[0]": "roles.critic.fallback[1]".
using YamlLines = std::map<std::string, int>;

/// One document; an empty one is null. Plain scalars follow the YAML 1.2 core schema, quoted ones
/// are strings. parse_error (data "line", and "file" = `name`) for bad syntax and for aliases,
/// anchors, tags, duplicate keys, keys that are no scalars and second documents; too_large for over
/// kMaxYamlBytes, kMaxYamlDepth or kMaxYamlNodes. `lines` is filled when given.
Result<Json> read_yaml(std::string_view text, const std::string& name, YamlLines* lines = nullptr);

}  // namespace brainstorm
