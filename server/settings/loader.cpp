#include "server/settings/loader.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "protocol/text.h"

namespace brainstorm::settings {
namespace {

std::string shown(const Path& path) { return text::shorten(text::one_line(join(path)), 80); }

int line_of(const Layer& layer, const Path& path) {
  if (!layer.lines) return layer.line;
  const auto found = layer.lines->find(join(path));
  return found == layer.lines->end() ? 0 : found->second;
}

std::string place(const Layer& layer, const Path& path) {
  const int line = line_of(layer, path);
  return line > 0 ? layer.name + ":" + std::to_string(line) : layer.name;
}

std::string origin(const Layer& layer, const Key& key, const Path& path) {
  return layer.from == Layer::From::environment ? environment_name(key) : place(layer, path);
}

/// Names that people choose appear in messages, artefacts and files.
bool is_plain_name(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-:/").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), plain);
}

bool has_bad_name(const Key& key, const Path& path) {
  const auto parts = segments(key.path);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "*" && !is_plain_name(path[i])) return true;
  }
  return false;
}

/// A secret shows as its source, a command as its program: its arguments may hold one.
std::string display(const Key& key, const Json& value) {
  if (key.kind != Kind::secret) return json::dump(value);
  if (value.is_string()) return "\"(a literal, not shown)\"";
  const Json* command = json::find(value, "command");
  if (!command) return json::dump(value);
  Json brief = {{"command", Json::array({command->front()})}};
  if (command->size() > 1) brief["command"].push_back("…");
  return json::dump(brief);
}

}  // namespace

Loader::Loader() {
  for (const auto& key : keys()) {
    if (key.fallback.empty()) continue;
    Value value;
    value.key = &key;
    for (const auto part : segments(key.path)) value.path.emplace_back(part);
    value.json = std::make_unique<Json>(*json::parse(key.fallback));
    value.origin = "default";
    values_[std::string(key.path)] = std::move(value);
  }
}

void Loader::warn(std::string warning) { warnings_.push_back(std::move(warning)); }

Ok Loader::add(const Layer& layer, const Json& root) {
  Path path;
  return walk(layer, root, path);
}

Ok Loader::report(const Layer& layer, const Path& path, const std::string& what,
                  const std::string& hint) {
  const auto message =
      place(layer, path) + ": " + (path.empty() ? what : "`" + shown(path) + "` " + what);
  if (!layer.strict()) {
    warn(message + ". It is left out. " + hint);
    return {};
  }
  Error error{ErrorCode::settings_invalid, message + ".", hint, {{"file", layer.name}}};
  if (!path.empty()) error.data["key"] = shown(path);
  if (const int line = line_of(layer, path); line > 0) error.data["line"] = std::to_string(line);
  return error;
}

Ok Loader::walk(const Layer& layer, const Json& node, Path& path) {
  if (!path.empty()) {
    if (const Key* key = find_key(path)) return set(layer, *key, path, node);
    if (!is_group(path)) return report(layer, path, "is no setting", suggestion(path));
  }
  if (node.is_null()) return {};
  if (!node.is_object()) {
    return report(layer, path, "must be a group of keys",
                  "`brainstorm-ls config --schema` describes every key.");
  }
  for (const auto& [name, inner] : node.items()) {
    path.push_back(name);
    TRY_OK(walk(layer, inner, path));
    path.pop_back();
  }
  return {};
}

bool Loader::may_set(const Layer& layer, const Key& key, const Path& path, const Json& value) {
  if (layer.from != Layer::From::workspace) return true;
  const May may = layer.trusted ? key.trusted : key.untrusted;
  if (may == May::freely) return true;
  const auto current = values_.find(join(path));
  if (may == May::stricter &&
      (current == values_.end() || is_stricter(key, *current->second.json, value))) {
    return true;
  }
  const auto where = place(layer, path) + ": `" + shown(path) + "` is refused: ";
  if (may == May::stricter) {
    warn(where + "a workspace may only make it stricter.");
  } else if (key.trusted == May::never) {
    warn(where + "a workspace never sets this. Put it into your own settings.");
  } else {
    warn(where + "this workspace is not trusted. Use --trust, or put it into your own settings.");
  }
  return false;
}

Ok Loader::refuse_secret(const Layer& layer, const Path& path) {
  if (layer.from == Layer::From::person) {
    return report(layer, path, "holds a key, and others may read this file",
                  "Write {env: NAME} instead, or make the file yours alone: chmod 600.");
  }
  return report(layer, path, "holds a key, which may stand in your own settings file only",
                "Write {env: NAME}, and set that variable.");
}

Ok Loader::set(const Layer& layer, const Key& key, const Path& path, const Json& value) {
  if (value.is_null()) return {};
  if (has_bad_name(key, path)) {
    return report(layer, path, "has a name with unusual characters",
                  "Use letters, digits and . _ - : / in names, at most 64 of them.");
  }
  if (const auto wrong = problem(key, value)) {
    return report(layer, path, *wrong, std::string(key.about));
  }
  if (!may_set(layer, key, path, value)) return {};
  if (key.kind == Kind::secret && value.is_string()) {
    if (!layer.secrets) return refuse_secret(layer, path);
    warn(place(layer, path) + ": `" + shown(path) +
         "` holds a key in clear. {env: NAME} or {command: [argv]} keeps it out of the file.");
  }
  Value& kept = values_[join(path)];
  kept.key = &key;
  kept.path = path;
  kept.json = std::make_unique<Json>(value);
  kept.origin = origin(layer, key, path);
  kept.layer = layer;
  kept.layer.line = line_of(layer, path);
  kept.layer.lines = nullptr;  // the index does not outlive the reading of its file
  return {};
}

namespace {

SecretSource secret(const Json& value) {
  SecretSource source;
  if (value.is_string()) source.literal = value.get<std::string>();
  source.env = json::text_or(value, "env");
  if (const Json* command = json::find(value, "command")) {
    source.command = command->get<std::vector<std::string>>();
  }
  return source;
}

void fill(ModelEntry& entry, const std::string& member, const Json& value) {
  if (member == "type") entry.type = value.get<std::string>();
  if (member == "base_url") entry.base_url = value.get<std::string>();
  if (member == "model") entry.model = value.get<std::string>();
  if (member == "preset") entry.preset = value.get<std::string>();
  if (member == "prompt") entry.prompt = value.get<std::string>();
  if (member == "output") entry.output = value.get<std::string>();
  if (member == "argv") entry.argv = value.get<std::vector<std::string>>();
  if (member == "api_key") entry.api_key = secret(value);
}

std::string entry_problem(const ModelEntry& entry) {
  if (entry.type.empty()) return "has no type";
  if (entry.name == "offline" && entry.type != "offline") {
    return "uses a name that belongs to the built-in model";
  }
  if (entry.type == "command" && entry.preset.empty() && entry.argv.empty()) {
    return "is a command without a preset or an argv";
  }
  return {};
}

}  // namespace

Ok Loader::build_models(LoadedSettings& loaded) {
  std::map<std::string, ModelEntry> entries;
  std::map<std::string, const Value*> places;
  for (const auto& [joined, value] : values_) {
    if (value.path[0] != "models") continue;
    auto& entry = entries[value.path[1]];
    entry.name = value.path[1];
    fill(entry, value.path[2], *value.json);
    places[entry.name] = &value;
  }
  for (auto& [name, entry] : entries) {
    if (const auto wrong = entry_problem(entry); !wrong.empty()) {
      TRY_OK(report(places[name]->layer, {"models", name}, wrong,
                    "A model looks like {type: openai, base_url: …, model: …} or "
                    "{type: command, preset: claude}."));
      continue;
    }
    loaded.models.push_back(std::move(entry));
  }
  return {};
}

Ok Loader::build_roles(LoadedSettings& loaded) {
  const auto is_known = [&](const std::string& name) {
    return name == "offline" ||
           std::any_of(loaded.models.begin(), loaded.models.end(),
                       [&](const ModelEntry& entry) { return entry.name == name; });
  };
  for (const auto& [joined, value] : values_) {
    if (value.path[0] != "roles") continue;
    const Json& json = *value.json;
    RoleModel role;
    role.name = json.is_string() ? json.get<std::string>() : json::text_or(json, "model");
    if (const Json* fallback = json::find(json, "fallback")) {
      role.fallback = fallback->get<std::vector<std::string>>();
    }
    bool known = is_known(role.name);
    for (const auto& name : role.fallback) known = known && is_known(name);
    if (known) {
      loaded.engine.roles[value.path[1]] = std::move(role);
      continue;
    }
    TRY_OK(report(value.layer, value.path, "names a model that `models` does not define",
                  "Define it under models, or use offline."));
  }
  return {};
}

Ok Loader::check_limits(const LoadedSettings& loaded) {
  const auto& limits = loaded.engine.limits;
  if (limits.prompt_min <= limits.prompt_max) return {};
  const auto& minimum = values_.at("limits.promptMin");
  const auto& maximum = values_.at("limits.promptMax");
  const auto& blamed = minimum.origin == "default" ? maximum : minimum;
  Layer layer = blamed.layer;
  layer.from = Layer::From::person;  // also an editor's: sessions could not start with these
  return report(layer, blamed.path, "leaves no length that a question may have",
                "limits.promptMin must not be larger than limits.promptMax.");
}

Result<LoadedSettings> Loader::finish() {
  LoadedSettings loaded;
  for (const auto& [joined, value] : values_) {
    if (value.key->apply) value.key->apply(loaded.engine, *value.json);
    loaded.origins.push_back({joined, display(*value.key, *value.json), value.origin});
  }
  for (const auto& key : keys()) {
    const std::string path(key.path);
    if (path.find('*') == std::string::npos && !values_.contains(path)) {
      loaded.origins.push_back({path, "null", "default"});
    }
  }
  std::sort(loaded.origins.begin(), loaded.origins.end(),
            [](const SettingOrigin& a, const SettingOrigin& b) { return a.key < b.key; });
  TRY_OK(check_limits(loaded));
  TRY_OK(build_models(loaded));
  TRY_OK(build_roles(loaded));
  loaded.warnings = warnings_;
  return loaded;
}

}  // namespace brainstorm::settings
