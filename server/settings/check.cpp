// Is a value what its key wants? The answers never repeat the value: it may be a key that was
// pasted into the wrong place.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "protocol/text.h"
#include "server/settings/schema.h"

namespace brainstorm::settings {
namespace {

using Problem = std::optional<std::string>;

constexpr std::size_t kLongestPattern = 200;
constexpr std::size_t kLongestText = 4096;

std::string_view type_name(const Json& value) {
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "true or false";
  if (value.is_number()) return "a number";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "a group of keys";
  return "nothing";
}

std::string wants(std::string_view what, const Json& value) {
  return "must be " + std::string(what) + ", not " + std::string(type_name(value));
}

std::string figure(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15
             ? std::to_string(static_cast<std::int64_t>(value))
             : json::dump(Json(value));
}

Problem number_problem(const Key& key, const Json& value) {
  const std::string_view what = key.kind == Kind::seconds   ? "a number of seconds"
                                : key.kind == Kind::integer ? "a whole number"
                                                            : "a number";
  if (!value.is_number()) return wants(what, value);
  const auto number = value.get<double>();
  if (!std::isfinite(number)) return "must be " + std::string(what);
  if (key.kind == Kind::integer && !value.is_number_integer()) {
    return "must be a whole number, not a fraction";
  }
  if (number < key.low || number > key.high) {
    return "must be between " + figure(key.low) + " and " + figure(key.high);
  }
  return std::nullopt;
}

Problem text_problem(const Json& value) {
  if (!value.is_string()) return wants("a text", value);
  const auto& text = value.get_ref<const std::string&>();
  if (text::trim(text).empty()) return "must not be empty";
  if (text.size() > kLongestText) return "is longer than 4096 bytes";
  if (text.find('\0') != std::string::npos) return "must not contain a NUL character";
  return std::nullopt;
}

std::string spaced(std::string_view options) {
  std::string shown;
  for (const char c : options) shown += c == ' ' ? std::string(" · ") : std::string(1, c);
  return shown;
}

std::vector<std::string> words(std::string_view options) {
  std::vector<std::string> parts;
  while (!options.empty()) {
    const auto space = options.find(' ');
    parts.emplace_back(options.substr(0, space));
    options.remove_prefix(space == std::string_view::npos ? options.size() : space + 1);
  }
  return parts;
}

Problem choice_problem(const Key& key, const Json& value) {
  const auto options = words(key.options);
  const bool known = value.is_string() && std::find(options.begin(), options.end(),
                                                    value.get<std::string>()) != options.end();
  if (known) return std::nullopt;
  return "must be one of " + spaced(key.options);
}

Problem url_problem(const Json& value) {
  if (auto wrong = text_problem(value)) return wrong;
  const auto& url = value.get_ref<const std::string&>();
  const bool http = text::starts_with_ci(url, "http://") || text::starts_with_ci(url, "https://");
  const auto begin = http ? url.find("//") + 2 : 0;
  const auto host = url.substr(begin, url.find('/', begin) - begin);
  if (!http || host.empty()) return "must be an address that begins with http:// or https://";
  if (host.find('@') != std::string::npos) {
    return "must not hold a user name or a password; use api_key";
  }
  if (url.find_first_of("?#") != std::string::npos) return "must not have a query or a fragment";
  for (const char c : url) {
    if (static_cast<unsigned char>(c) <= ' ') return "must not contain spaces";
  }
  return std::nullopt;
}

Problem texts_problem(const Json& value, double low, double high) {
  if (!value.is_array()) return wants("a list of texts", value);
  const auto size = static_cast<double>(value.size());
  if (high > 0 && (size < low || size > high)) {
    return "must have " + figure(low) + " to " + figure(high) + " entries";
  }
  for (const auto& entry : value) {
    if (auto wrong = text_problem(entry)) return "has an entry that " + *wrong;
  }
  return std::nullopt;
}

/// A repeated group that itself repeats or branches takes time that doubles with each character.
bool can_run_away(std::string_view pattern) {
  std::vector<bool> loose(1, false);  // for each open group: does it repeat or branch inside?
  bool closed_loose = false;          // the element before this character was such a group
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    const bool after_loose = std::exchange(closed_loose, false);
    if (c == '\\') {
      if (i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9') return true;
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '(') {
      loose.push_back(false);
    } else if (c == ')' && loose.size() > 1) {
      closed_loose = loose.back();
      loose.pop_back();
      if (closed_loose) loose.back() = true;
    } else if (c == '*' || c == '+' || c == '{') {
      if (after_loose) return true;
      loose.back() = true;
    } else if (c == '|') {
      loose.back() = true;
    }
  }
  return false;
}

Problem pattern_problem(const std::string& pattern) {
  if (pattern.size() > kLongestPattern) return "is longer than 200 bytes";
  if (can_run_away(pattern)) {
    return "repeats a group that itself repeats or branches, or refers back to a group; such "
           "patterns can take for ever";
  }
  try {
    const std::regex tried(pattern, std::regex::ECMAScript);
  } catch (const std::exception&) {
    return "is not a regular expression (ECMAScript)";
  }
  return std::nullopt;
}

Problem patterns_problem(const Key& key, const Json& value) {
  if (auto wrong = texts_problem(value, key.low, key.high)) return wrong;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (auto wrong = pattern_problem(value[i].get<std::string>())) {
      return "entry " + std::to_string(i + 1) + " " + *wrong;
    }
  }
  return std::nullopt;
}

Problem hosts_problem(const Key& key, const Json& value) {
  if (auto wrong = texts_problem(value, key.low, key.high)) return wrong;
  static const std::regex shape(R"((\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]{1,253}):[0-9]{1,5})");
  for (const auto& entry : value) {
    const auto& host = entry.get_ref<const std::string&>();
    if (host.size() > 300 || !std::regex_match(host, shape)) return "must hold entries host:port";
  }
  return std::nullopt;
}

bool is_variable_name(const std::string& name) {
  const auto word = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= 128 && !(name[0] >= '0' && name[0] <= '9') &&
         std::all_of(name.begin(), name.end(), word);
}

Problem secret_problem(const Json& value) {
  if (value.is_string()) return text_problem(value);
  constexpr std::string_view shape = "must be {env: NAME} or {command: [program, argument, …]}";
  if (!value.is_object() || value.size() != 1) return std::string(shape);
  if (const Json* env = json::find(value, "env"); env && env->is_string()) {
    if (is_variable_name(env->get<std::string>())) return std::nullopt;
    return "env must be the name of an environment variable, not a key";
  }
  if (const Json* command = json::find(value, "command")) {
    if (auto wrong = texts_problem(*command, 1, 64)) return "command " + *wrong;
    return std::nullopt;
  }
  return std::string(shape);
}

Problem role_problem(const Json& value) {
  if (value.is_string()) return text_problem(value);
  if (!value.is_object()) return "must be a model's name or {model, fallback: [names]}";
  for (const auto& [member, inner] : value.items()) {
    if (member == "model") {
      if (auto wrong = text_problem(inner)) return "model " + *wrong;
    } else if (member == "fallback") {
      if (auto wrong = texts_problem(inner, 0, 16)) return "fallback " + *wrong;
    } else {
      return "knows only model and fallback";
    }
  }
  if (!json::find(value, "model")) return "needs a model";
  return std::nullopt;
}

struct Column {
  std::string name;
  bool required = false;
  bool list = false;
};

std::vector<Column> columns(std::string_view spec) {
  std::vector<Column> result;
  for (auto& word : words(spec)) {
    Column column;
    if (word.ends_with('!')) column.required = (word.pop_back(), true);
    if (word.ends_with("[]")) column.list = (word.resize(word.size() - 2), true);
    column.name = word;
    result.push_back(std::move(column));
  }
  return result;
}

Problem row_problem(const std::vector<Column>& known, const Json& row) {
  if (!row.is_object()) return wants("a group of keys", row);
  for (const auto& item : row.items()) {
    const auto& member = item.key();
    const Json& inner = item.value();
    const auto column = std::find_if(known.begin(), known.end(),
                                     [&](const Column& one) { return one.name == member; });
    if (column == known.end()) return "has an unknown key " + text::shorten(member, 40);
    auto wrong = column->list ? texts_problem(inner, 0, 32) : text_problem(inner);
    if (wrong) return member + " " + *wrong;
  }
  for (const auto& column : known) {
    if (column.required && !json::find(row, column.name)) return "needs " + column.name;
  }
  return std::nullopt;
}

/// The first column names the row; it also becomes a file's name.
Problem row_name_problem(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (name.size() <= 40 && std::all_of(name.begin(), name.end(), plain)) return std::nullopt;
  return "may use only a–z, 0–9, - and _, at most 40 of them";
}

Problem objects_problem(const Key& key, const Json& value) {
  if (!value.is_array()) return wants("a list", value);
  const auto size = static_cast<double>(value.size());
  if (size < key.low || size > key.high) {
    return "must have " + figure(key.low) + " to " + figure(key.high) + " entries";
  }
  const auto known = columns(key.options);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto entry = "entry " + std::to_string(i + 1) + " ";
    if (auto wrong = row_problem(known, value[i])) return entry + *wrong;
    auto name = json::text_or(value[i], known[0].name);
    if (auto wrong = row_name_problem(name)) return entry + known[0].name + " " + *wrong;
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return entry + "has the " + known[0].name + " of an earlier one";
    }
    names.push_back(std::move(name));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> problem(const Key& key, const Json& value) {
  switch (key.kind) {
    case Kind::seconds:
    case Kind::number:
    case Kind::integer:
      return number_problem(key, value);
    case Kind::text:
      return text_problem(value);
    case Kind::url:
      return url_problem(value);
    case Kind::choice:
      return choice_problem(key, value);
    case Kind::texts:
      return texts_problem(value, key.low, key.high);
    case Kind::patterns:
      return patterns_problem(key, value);
    case Kind::hosts:
      return hosts_problem(key, value);
    case Kind::secret:
      return secret_problem(value);
    case Kind::role:
      return role_problem(value);
    case Kind::objects:
      return objects_problem(key, value);
  }
  return std::nullopt;
}

bool is_stricter(const Key& key, const Json& current, const Json& next) {
  if (current.is_null()) return true;
  if (key.kind == Kind::choice) {
    const auto options = words(key.options);
    const auto rank = [&](const Json& value) {
      return std::find(options.begin(), options.end(), value.get<std::string>()) - options.begin();
    };
    return rank(next) >= rank(current);
  }
  return next.get<double>() <= current.get<double>();
}

}  // namespace brainstorm::settings
