#include "server/store/front_matter.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "protocol/text.h"
#include "server/store/yaml.h"

namespace brainstorm {
namespace {

constexpr std::string_view kFence = "---";

/// The line at `at` without its end, and where the next one begins.
std::string_view line_at(std::string_view text, std::size_t at, std::size_t& next) {
  const auto end = text.find('\n', at);
  next = end == std::string_view::npos ? text.size() : end + 1;
  std::string_view line = text.substr(at, (end == std::string_view::npos ? text.size() : end) - at);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool begins_like_a_head(std::string_view text) {
  std::size_t next = 0;
  return line_at(text, 0, next) == kFence;
}

}  // namespace

std::string compose_front_matter(const Json& front, const std::vector<std::string_view>& leading,
                                 std::string_view body) {
  const bool has_head = front.is_object();
  if (!has_head && !begins_like_a_head(body)) return std::string(body);
  std::string text = "---\n";
  if (has_head) text += write_yaml(front, leading);
  text += "---\n\n";
  text += body;
  return text;
}

Result<FrontMatter> split_front_matter(std::string_view text, const std::string& name) {
  FrontMatter result{std::make_unique<Json>(), {}, 0};
  if (!begins_like_a_head(text)) {
    result.body = std::string(text);
    return result;
  }
  std::size_t begin = 0;
  line_at(text, 0, begin);
  for (std::size_t at = begin; at < text.size();) {
    std::size_t next = 0;
    if (line_at(text, at, next) != kFence) {
      at = next;
      continue;
    }
    TRY(Json front, read_yaml(text.substr(begin, at - begin), name));
    if (!front.is_object() && !front.is_null()) break;
    *result.front = std::move(front);
    std::size_t after = 0;
    if (line_at(text, next, after).empty()) next = after;
    result.body = std::string(text.substr(next));
    result.body_line = static_cast<int>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
    return result;
  }
  return Error{ErrorCode::parse_error,
               name + " begins like front matter, but has no readable head",
               "End the head with a line that holds only ---.",
               {{"file", name}, {"line", "1"}}};
}

}  // namespace brainstorm
