#pragma once
// Settings with their sources. In order, each overriding the one before: defaults · the workspace's
// .workflow/config.yaml (untrusted unless declared) · the person's file · environment BRAINSTORM_*
// · client (initializationOptions, didChangeConfiguration) · command line.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/settings.h"
#include "protocol/json.h"
#include "protocol/result.h"

namespace brainstorm {

/// Where a key's value is found: the name of an environment variable, or an argument vector whose
/// output it is. A literal is accepted only in the person's own file with mode 0600.
struct SecretSource {
  std::string env;
  std::vector<std::string> command;
  std::string literal;
};

/// One entry of `models`.
struct ModelEntry {
  std::string name;
  std::string type;  // anthropic · openai · ollama · gemini · command · editor · offline
  std::string base_url;
  std::string model;
  SecretSource api_key;
  std::string preset;  // of a command
  std::vector<std::string> argv;
  std::string prompt;  // stdin · argument
  std::string output;  // text · jsonl · file
};

/// One effective setting, for `config` and `doctor`.
struct SettingOrigin {
  std::string key;    // "timeouts.agent"
  std::string value;  // as JSON; a secret shows as its source, never as itself
  std::string
      origin;  // "default", "~/.config/brainstorm-ls/config.yaml:12", "BRAINSTORM_CHECKPOINTS", …
};

struct LoadedSettings {
  Settings engine;
  std::vector<ModelEntry> models;
  std::vector<SettingOrigin> origins;  // sorted by key, every known key once
  std::vector<std::string> warnings;   // refused or unknown keys, each with file and line
};

/// The sources of one workspace folder; empty members are skipped.
struct SettingSources {
  std::string person_file;  // path; missing is fine
  std::map<std::string, std::string> environment;
  const Json* client = nullptr;        // the client's settings object
  const Json* command_line = nullptr;  // the same schema, from flags
  std::string workspace_file;          // .workflow/config.yaml; missing is fine
  bool workspace_trusted = false;
};

/// settings_invalid with data file, line, key for the person's file: an unknown key names the
/// nearest known one. From the client or a workspace such keys become warnings.
Result<LoadedSettings> load_settings(const SettingSources& sources);

/// $XDG_CONFIG_HOME/brainstorm-ls/config.yaml or ~/.config/…
std::string person_settings_path();

}  // namespace brainstorm
