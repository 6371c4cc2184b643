#include "server/settings/settings.h"

#include <nlohmann/json.hpp>

#include "server/os/paths.h"
#include "server/settings/files.h"
#include "server/settings/loader.h"

namespace brainstorm {
namespace {

using settings::FileText;
using settings::Key;
using settings::Kind;
using settings::Layer;
using settings::Loader;

/// "/home/me/.config/…" as "~/.config/…".
std::string brief(const std::string& path) {
  const auto home = paths::home();
  if (home.size() > 1 && path.starts_with(home + "/")) return "~" + path.substr(home.size());
  return path;
}

Error at_line(const Error& error, const std::string& name) {
  const auto line = error.data.find("line");
  const bool known = line != error.data.end();
  Error result{ErrorCode::settings_invalid, error.message, error.hint, {{"file", name}}};
  if (known) result.data["line"] = line->second;
  const auto where = known ? name + ":" + line->second : name;
  // The reader names document and line in words; every other message here has them as file:line.
  const auto named = known ? name + ", line " + line->second + ": " : name + " ";
  auto reason = error.message;
  if (reason.starts_with(named)) reason.erase(0, named.size());
  result.message = where + ": " + reason + (reason.ends_with('.') ? "" : ".");
  if (result.hint.empty()) result.hint = "Mend the file, or move it away to use the defaults.";
  return result;
}

Ok add_text(Loader& loader, Layer layer, const std::string& text) {
  YamlLines lines;
  auto root = read_yaml(text, layer.name, &lines);
  if (!root) return at_line(root.error(), layer.name);
  layer.lines = &lines;
  return loader.add(layer, *root);
}

Ok add_person(Loader& loader, const std::string& path) {
  if (path.empty()) return {};
  TRY(const FileText file, settings::read_own(path));
  if (!file.exists) return {};
  Layer layer{Layer::From::person, brief(path)};
  layer.secrets = file.only_ours;
  return add_text(loader, layer, file.text);
}

/// Whatever is wrong with a workspace's file, the person can go on without it.
void add_workspace(Loader& loader, const std::string& path, bool trusted) {
  if (path.empty()) return;
  auto file = settings::read_untrusted(path);
  if (!file) return loader.warn(file.error().message + ". The file is left out.");
  if (!file->exists) return;
  Layer layer{Layer::From::workspace, brief(path)};
  layer.trusted = trusted;
  if (auto added = add_text(loader, layer, file->text); !added) {
    loader.warn(added.error().message + " The file is left out.");
  }
}

Json environment_value(const Key& key, const std::string& text) {
  const bool plain = key.kind == Kind::text || key.kind == Kind::url || key.kind == Kind::choice;
  if (plain) return text;
  auto parsed = json::parse(text);
  return parsed ? *parsed : Json(text);
}

Json nested(const Key& key, Json value) {
  const auto parts = settings::segments(key.path);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    Json outer = Json::object();
    outer[std::string(*part)] = std::move(value);
    value = std::move(outer);
  }
  return value;
}

/// A variable that is nearly the name of a setting is probably a slip.
void warn_of_slips(Loader& loader, const std::map<std::string, std::string>& environment) {
  for (const auto& [name, text] : environment) {
    if (!name.starts_with("BRAINSTORM_")) continue;
    std::string nearest;
    std::size_t least = 3;
    for (const auto& key : settings::keys()) {
      const auto known = settings::environment_name(key);
      if (known.empty()) continue;
      const auto off = settings::edit_distance(name.substr(0, 80), known);
      if (off < least) least = off, nearest = known;
    }
    if (!nearest.empty() && least > 0) {
      loader.warn("The environment variable " + name.substr(0, 80) +
                  " sets nothing. Did you mean " + nearest + "?");
    }
  }
}

Ok add_environment(Loader& loader, const std::map<std::string, std::string>& environment) {
  for (const auto& key : settings::keys()) {
    const auto name = settings::environment_name(key);
    const auto found = name.empty() ? environment.end() : environment.find(name);
    if (found == environment.end() || found->second.empty()) continue;
    const Layer layer{Layer::From::environment, name};
    TRY_OK(loader.add(layer, nested(key, environment_value(key, found->second))));
  }
  warn_of_slips(loader, environment);
  return {};
}

}  // namespace

Result<LoadedSettings> load_settings(const SettingSources& sources) {
  Loader loader;
  add_workspace(loader, sources.workspace_file, sources.workspace_trusted);
  TRY_OK(add_person(loader, sources.person_file));
  TRY_OK(add_environment(loader, sources.environment));
  if (sources.client) {
    TRY_OK(loader.add(Layer{Layer::From::client, "the editor's settings"}, *sources.client));
  }
  if (sources.command_line) {
    const Layer layer{Layer::From::command_line, "the command line"};
    TRY_OK(loader.add(layer, *sources.command_line));
  }
  return loader.finish();
}

std::string person_settings_path() {
  const auto directory = paths::config_dir();
  return directory.empty() ? std::string() : directory + "/config.yaml";
}

}  // namespace brainstorm
