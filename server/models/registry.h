#pragma once
// Which models there are, which plays a role, and the calls themselves. In this build only
// `offline` answers; entries of other types are listed with the reason why they cannot be used yet.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "commands/ports.h"
#include "server/settings/settings.h"

namespace brainstorm {

class OfflineModel;

/// One line of `brainstorm.models` and `models`.
struct ModelInfo {
  std::string name;
  std::string type;
  std::string model;
  bool reachable = false;
  std::string reason;              // why not, or why it is used
  std::vector<std::string> roles;  // roles that it plays now
};

class ModelRegistry : public Models {
 public:
  explicit ModelRegistry(Clock& clock);
  ~ModelRegistry() override;
  ModelRegistry(const ModelRegistry&) = delete;
  ModelRegistry& operator=(const ModelRegistry&) = delete;

  /// Called at start and after each change of settings. `environment` tells which vendor keys exist
  /// (names only are looked at): found by itself, a key is only mentioned, never used unasked.
  void configure(const LoadedSettings& settings, std::map<std::string, std::string> environment);

  /// A role's own model, else its family's (an archetype or an angle is a `perspective`), else that
  /// of `default`, else `offline`. Where the named model cannot be used here, the first of its
  /// fallbacks that can; without one the named model all the same, with the reason, and complete()
  /// refuses.
  ModelChoice choose(std::string_view role) const override;
  bool knows(std::string_view model) const override;
  Task<Result<Completion>> complete(std::string model, ModelRequest request,
                                    TextSink on_text) override;
  /// The configured ones in the order of the settings, `offline` last.
  std::vector<ModelInfo> models() const;

 private:
  const ModelEntry* entry(std::string_view name) const;
  /// Why a model cannot be used here; empty when it can.
  std::string obstacle(std::string_view name) const;
  std::string unconfigured() const;

  std::unique_ptr<OfflineModel> offline_;
  std::vector<ModelEntry> entries_;
  std::map<std::string, RoleModel> roles_;
  std::string found_key_;  // name of a vendor's variable in the environment
};

}  // namespace brainstorm
