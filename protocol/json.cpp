#include "protocol/json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "protocol/text.h"

namespace brainstorm::json {
namespace {

/// Builds the value while counting nesting, so that a hostile document stops at kMaxDepth instead
/// of after it was built.
class Builder {
 public:
  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    slot_ = &(*open_.back())[name];  // a repeated name: the last one wins
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    error_at_ = position;
    return false;
  }

  bool too_deep() const { return too_deep_; }
  std::size_t error_at() const { return error_at_; }
  Json take() { return std::move(root_); }

 private:
  // Pointers stay valid: a container grows only while none of its children is open.
  Json* place(Json&& value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return &open_.back()->back();
    }
    *slot_ = std::move(value);
    return slot_;
  }
  bool add(Json&& value) {
    place(std::move(value));
    return true;
  }
  bool open(Json&& container) {
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth)) {
      too_deep_ = true;
      return false;
    }
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  Json* slot_ = nullptr;
  bool too_deep_ = false;
  std::size_t error_at_ = 0;
};

/// The code unit of a `\uXXXX` escape at `at`, or -1.
int escape_at(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (char c : text.substr(at + 2, 4)) {
    int digit = -1;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool is_high(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// Positions of surrogate escapes without their other half.
std::vector<std::size_t> lone_surrogates(std::string_view text) {
  std::vector<std::size_t> found;
  std::size_t at = text.find('\\');
  while (at != std::string_view::npos) {
    const int unit = escape_at(text, at);
    std::size_t length = unit < 0 ? 2 : 6;
    if (is_high(unit) && is_low(escape_at(text, at + 6))) {
      length = 12;
    } else if (is_high(unit) || is_low(unit)) {
      found.push_back(at);
    }
    at = at + length < text.size() ? text.find('\\', at + length) : std::string_view::npos;
  }
  return found;
}

Error syntax_error(std::string_view text, std::size_t position) {
  std::size_t line = 1, column = 1;
  for (char c : text.substr(0, position == 0 ? 0 : position - 1)) {
    column = c == '\n' ? 1 : column + 1;
    if (c == '\n') ++line;
  }
  // The text itself is not quoted: it may hold a secret.
  return Error{
      ErrorCode::parse_error,
      "Not valid JSON at line " + std::to_string(line) + ", byte " + std::to_string(column) + ".",
      "Check the syntax there: UTF-8, double quotes, no comments, nothing after the value.",
      {{"line", std::to_string(line)}}};
}

Result<Json> build(std::string_view text) {
  Builder builder;
  try {
    if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  } catch (const std::exception&) {
    return syntax_error(text, 0);
  }
  if (builder.too_deep()) {
    return Error{ErrorCode::parse_error,
                 "The JSON is nested deeper than " + std::to_string(kMaxDepth) + " levels.",
                 "Send flatter data.",
                 {}};
  }
  return syntax_error(text, builder.error_at());
}

std::string joined(std::string_view path, std::string_view key) {
  if (path.empty()) return std::string(key);
  return std::string(path) + "." + std::string(key);
}

/// `wanted` with its article: "a string".
Error bad_field(std::string_view path, std::string_view key, std::string_view wanted,
                const Json* value) {
  const std::string field = joined(path, key);
  const std::string what =
      value == nullptr ? " is missing."
                       : " has the wrong type or range: " + std::string(value->type_name()) + ".";
  return Error{ErrorCode::invalid_argument,
               "\"" + field + "\"" + what,
               "Give \"" + field + "\" as " + std::string(wanted) + ".",
               {{"field", field}}};
}

std::optional<std::int64_t> as_integer(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return {};
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return {};
  // Some clients have only doubles; 2^53 is where those stop being exact.
  const double number = value.get<double>();
  if (std::abs(number) > 9007199254740992.0 || std::trunc(number) != number) return {};
  return static_cast<std::int64_t>(number);
}

std::optional<std::string> as_string(const Json& value) {
  if (!value.is_string()) return {};
  return value.get_ref<const std::string&>();
}

std::optional<bool> as_bool(const Json& value) {
  if (!value.is_boolean()) return {};
  return value.get<bool>();
}

std::optional<double> as_number(const Json& value) {
  if (!value.is_number()) return {};
  return value.get<double>();
}

template <class T>
using Reader = std::optional<T> (*)(const Json&);

template <class T>
Result<T> required(const Json& object, std::string_view key, std::string_view path,
                   std::string_view wanted, Reader<T> read) {
  const Json* member = find(object, key);
  std::optional<T> value = member == nullptr ? std::nullopt : read(*member);
  if (!value) return bad_field(path, key, wanted, member);
  return *std::move(value);
}

template <class T>
Result<std::optional<T>> optional(const Json& object, std::string_view key, std::string_view path,
                                  std::string_view wanted, Reader<T> read) {
  const Json* member = find(object, key);
  if (member == nullptr) return std::optional<T>();
  std::optional<T> value = read(*member);
  if (!value) return bad_field(path, key, wanted, member);
  return value;
}

}  // namespace

Result<Json> parse(std::string_view text) {
  // The parser would take a NUL for the end and ignore what follows.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    return syntax_error(text, nul + 1);
  }
  const std::vector<std::size_t> lone = lone_surrogates(text);
  if (lone.empty()) return build(text);
  std::string repaired(text);
  for (std::size_t at : lone) repaired.replace(at, 6, "\\ufffd");
  return build(repaired);
}

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string pretty(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

const Json* find(const Json& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  const auto member = value.find(key);
  if (member == value.end() || member->is_null()) return nullptr;
  return &*member;
}

Result<std::string> string_at(const Json& object, std::string_view key, std::string_view path) {
  return required<std::string>(object, key, path, "a string", as_string);
}

Result<std::int64_t> integer_at(const Json& object, std::string_view key, std::string_view path) {
  return required<std::int64_t>(object, key, path, "an integer of 64 bits", as_integer);
}

Result<bool> bool_at(const Json& object, std::string_view key, std::string_view path) {
  return required<bool>(object, key, path, "true or false", as_bool);
}

Result<double> number_at(const Json& object, std::string_view key, std::string_view path) {
  return required<double>(object, key, path, "a number", as_number);
}

Result<std::vector<std::string>> strings_at(const Json& object, std::string_view key,
                                            std::string_view path) {
  const Json* member = find(object, key);
  if (member == nullptr || !member->is_array()) {
    return bad_field(path, key, "a list of strings", member);
  }
  std::vector<std::string> strings;
  for (const Json& element : *member) {
    if (!element.is_string()) {
      const std::string name = std::string(key) + "[" + std::to_string(strings.size()) + "]";
      return bad_field(path, name, "a string", &element);
    }
    strings.push_back(element.get_ref<const std::string&>());
  }
  return strings;
}

Result<std::optional<std::string>> maybe_string(const Json& object, std::string_view key,
                                                std::string_view path) {
  return optional<std::string>(object, key, path, "a string", as_string);
}

Result<std::optional<std::int64_t>> maybe_integer(const Json& object, std::string_view key,
                                                  std::string_view path) {
  return optional<std::int64_t>(object, key, path, "an integer of 64 bits", as_integer);
}

Result<std::optional<bool>> maybe_bool(const Json& object, std::string_view key,
                                       std::string_view path) {
  return optional<bool>(object, key, path, "true or false", as_bool);
}

Result<std::optional<double>> maybe_number(const Json& object, std::string_view key,
                                           std::string_view path) {
  return optional<double>(object, key, path, "a number", as_number);
}

std::string text_or(const Json& object, std::string_view key, std::string_view fallback) {
  const Json* member = find(object, key);
  if (member == nullptr || !member->is_string()) return std::string(fallback);
  return member->get_ref<const std::string&>();
}

std::int64_t integer_or(const Json& object, std::string_view key, std::int64_t fallback) {
  const Json* member = find(object, key);
  return member == nullptr ? fallback : as_integer(*member).value_or(fallback);
}

double number_or(const Json& object, std::string_view key, double fallback) {
  const Json* member = find(object, key);
  return member == nullptr ? fallback : as_number(*member).value_or(fallback);
}

bool bool_or(const Json& object, std::string_view key, bool fallback) {
  const Json* member = find(object, key);
  return member == nullptr ? fallback : as_bool(*member).value_or(fallback);
}

}  // namespace brainstorm::json
