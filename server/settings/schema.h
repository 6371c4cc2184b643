#pragma once
// Every setting there is, as one table: what may be written, by whom, and what it changes. The
// loader, the error messages, the names of environment variables and the JSON Schema all read this
// table.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/settings.h"
#include "protocol/json.h"

namespace brainstorm::settings {

enum class Kind {
  seconds,  // a number; fractions allowed
  number,
  integer,
  text,
  url,       // http(s), without credentials and without a query
  choice,    // one of `options`
  texts,     // list of strings
  patterns,  // list of regular expressions that cannot run away
  hosts,     // list of host:port
  secret,    // {env: NAME} · {command: [argv]} · a literal
  role,      // a model's name, or {model, fallback: [names]}
  objects,   // list of objects whose members `options` names: "id! lens! asks[]"
};

/// What a workspace's own file may do with a key.
enum class May { never, stricter, freely };

struct Key {
  std::string_view path;  // "timeouts.agent"; "*" stands for a name that the person chooses
  Kind kind;
  double low = 0, high = 0;  // of numbers, inclusive; of lists: how many
  // choice: from loosest to strictest, separated by spaces. objects: members, "!" required, "[]"
  // list.
  std::string_view options = {};
  std::string_view fallback = {};  // as JSON; empty: nothing is set
  May untrusted = May::never;
  May trusted = May::freely;
  void (*apply)(Settings&, const Json&) = nullptr;  // null: not the engines' business
  std::string_view about = {};
};

std::span<const Key> keys();

using Path = std::vector<std::string>;
std::string join(const Path& path);
/// The segments of a dotted path of the table.
std::vector<std::string_view> segments(std::string_view dotted);

/// The row for a path, or nullptr.
const Key* find_key(const Path& path);
/// True when rows exist below this path ("timeouts", "models.main").
bool is_group(const Path& path);
/// "BRAINSTORM_TIMEOUTS_AGENT"; empty for what the environment cannot set.
std::string environment_name(const Key& key);

/// What is wrong with a value, in words that follow the key's name and never repeat the value;
/// nullopt when it is right.
std::optional<std::string> problem(const Key& key, const Json& value);
/// True when `next` asks for more questions, less time or less money than `current` (null: no
/// limit).
bool is_stricter(const Key& key, const Json& current, const Json& next);

/// What to try instead of an unknown key: "Did you mean timeouts.agent?" or the keys known there.
std::string suggestion(const Path& unknown);
/// Single-character edits between two words.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// JSON Schema (draft 7) of the settings file, for editors that complete it.
Json json_schema();

}  // namespace brainstorm::settings
