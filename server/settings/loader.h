#pragma once
// Lays the sources of settings over each other and turns the result into what the engines read.

#include <map>
#include <memory>
#include <string>

#include "server/settings/schema.h"
#include "server/settings/settings.h"
#include "server/store/yaml.h"

namespace brainstorm::settings {

/// One source, as JSON, and how much it is believed.
struct Layer {
  enum class From { workspace, person, environment, client, command_line };
  From from = From::person;
  std::string name;                  // as people know it: "~/.config/brainstorm-ls/config.yaml"
  const YamlLines* lines = nullptr;  // of a file, while it is read
  int line = 0;                      // of one value that was read from it; 0: unknown
  bool trusted = false;              // a workspace that the person trusts
  bool secrets = false;              // literal keys may stand here
  /// A mistake ends the loading; elsewhere it becomes a warning, and the key is left out.
  bool strict() const { return from != From::workspace && from != From::client; }
};

class Loader {
 public:
  Loader();
  /// Settings of a later layer override those of earlier ones.
  Ok add(const Layer& layer, const Json& root);
  void warn(std::string warning);
  Result<LoadedSettings> finish();

 private:
  struct Value {
    const Key* key = nullptr;
    Path path;
    std::unique_ptr<Json> json;
    std::string origin;
    Layer layer;
  };

  Ok walk(const Layer& layer, const Json& node, Path& path);
  Ok set(const Layer& layer, const Key& key, const Path& path, const Json& value);
  Ok refuse_secret(const Layer& layer, const Path& path);
  bool may_set(const Layer& layer, const Key& key, const Path& path, const Json& value);
  /// The error of a strict layer, or a warning and success.
  Ok report(const Layer& layer, const Path& path, const std::string& what, const std::string& hint);
  Ok build_models(LoadedSettings& loaded);
  Ok build_roles(LoadedSettings& loaded);
  Ok check_limits(const LoadedSettings& loaded);

  std::map<std::string, Value> values_;
  std::vector<std::string> warnings_;
};

}  // namespace brainstorm::settings
