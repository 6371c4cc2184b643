#pragma once
// Markdown with a YAML head: "---\n…---\n\nbody".

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json.h"
#include "protocol/result.h"

namespace brainstorm {

/// Without a head when `front` is no object, unless the body itself begins like one.
std::string compose_front_matter(const Json& front, const std::vector<std::string_view>& leading,
                                 std::string_view body);

struct FrontMatter {
  std::unique_ptr<Json> front;  // null value when the text has no head
  std::string body;             // byte for byte what was composed
  int body_line = 0;            // lines of the text before the body
};
/// parse_error when the head has no end or is not a mapping; see read_yaml.
Result<FrontMatter> split_front_matter(std::string_view text, const std::string& name);

}  // namespace brainstorm
