#pragma once
// JSON with caps: what arrives from outside is parsed here and nowhere else, and read with getters
// that check instead of truncating.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/result.h"

namespace brainstorm {

using Json = nlohmann::json;

namespace json {

/// Nesting allowed in any document that we parse: dump() and copies recurse, so this bounds our
/// stack.
inline constexpr int kMaxDepth = 128;

/// Parses UTF-8 text. Lone surrogate escapes become U+FFFD (editors send them); invalid UTF-8,
/// nesting over kMaxDepth and trailing text are parse_error. Numbers beyond 64 bits become doubles.
Result<Json> parse(std::string_view text);

/// One line of UTF-8. Never throws: invalid UTF-8 inside strings is replaced by U+FFFD.
std::string dump(const Json& value);
/// The same, indented by two spaces, for files that people read.
std::string pretty(const Json& value);

// Checked access to the members of an object. `path` names the object in error messages, as in
// "params.arguments[0]"; the field's own name is appended. A missing member, `null` where a value
// is needed, a wrong type or a number out of range is invalid_argument with data["field"].
Result<std::string> string_at(const Json& object, std::string_view key, std::string_view path);
Result<std::int64_t> integer_at(const Json& object, std::string_view key, std::string_view path);
Result<bool> bool_at(const Json& object, std::string_view key, std::string_view path);
Result<double> number_at(const Json& object, std::string_view key, std::string_view path);
Result<std::vector<std::string>> strings_at(const Json& object, std::string_view key,
                                            std::string_view path);

// The same for optional members: absent and null are nullopt; a wrong type is still an error.
Result<std::optional<std::string>> maybe_string(const Json& object, std::string_view key,
                                                std::string_view path);
Result<std::optional<std::int64_t>> maybe_integer(const Json& object, std::string_view key,
                                                  std::string_view path);
Result<std::optional<bool>> maybe_bool(const Json& object, std::string_view key,
                                       std::string_view path);
Result<std::optional<double>> maybe_number(const Json& object, std::string_view key,
                                           std::string_view path);

/// A member, or nullptr when absent, null, or when `value` is no object. Never throws.
const Json* find(const Json& value, std::string_view key);

// Lenient reading of our own files, where a missing or odd field falls back to a default.
std::string text_or(const Json& object, std::string_view key, std::string_view fallback = "");
std::int64_t integer_or(const Json& object, std::string_view key, std::int64_t fallback);
double number_or(const Json& object, std::string_view key, double fallback);
bool bool_or(const Json& object, std::string_view key, bool fallback);

}  // namespace json
}  // namespace brainstorm
