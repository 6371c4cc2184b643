#include "server/models/registry.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "commands/task.h"
#include "server/models/offline.h"

namespace brainstorm {
namespace {

constexpr std::string_view kOffline = "offline";
constexpr std::array<std::string_view, 3> kVendorKeys = {"ANTHROPIC_API_KEY", "OPENAI_API_KEY",
                                                         "GEMINI_API_KEY"};
/// Roles that are always there, in the order in which they are shown.
constexpr std::array<std::string_view, 5> kRoles = {"orchestrator", "perspective", "grouping",
                                                    "synthesis", "arbiter"};

/// The role whose model a role takes when it has none of its own; empty: only the default.
std::string_view family_of(std::string_view role) {
  if (role == "synthesizer") return "synthesis";
  if (role == "evaluator") return "arbiter";
  if (role == "default") return {};
  if (std::find(kRoles.begin(), kRoles.end(), role) != kRoles.end()) return {};
  return "perspective";  // archetypes, angles, ideators, challengers
}

/// The vendor family, for the warning that all agents share one.
std::string_view family_of(const ModelEntry& entry) {
  if (entry.type == "anthropic" || entry.type == "gemini") return entry.type;
  return {};
}

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

ModelRegistry::ModelRegistry(Clock& clock) : offline_(std::make_unique<OfflineModel>(clock)) {}

ModelRegistry::~ModelRegistry() = default;

void ModelRegistry::configure(const LoadedSettings& settings,
                              std::map<std::string, std::string> environment) {
  entries_ = settings.models;
  roles_ = settings.engine.roles;
  found_key_.clear();
  for (const std::string_view name : kVendorKeys) {
    const auto variable = environment.find(std::string(name));
    if (variable == environment.end() || variable->second.empty()) continue;
    found_key_ = name;
    break;
  }
}

const ModelEntry* ModelRegistry::entry(std::string_view name) const {
  for (const ModelEntry& one : entries_) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

bool ModelRegistry::knows(std::string_view model) const {
  return model == kOffline || entry(model) != nullptr;
}

std::string ModelRegistry::obstacle(std::string_view name) const {
  if (name == kOffline) return {};
  const ModelEntry* const known = entry(name);
  if (known == nullptr) return "no setting defines a model " + quoted(name);
  if (known->type == kOffline) return {};
  return "type " + known->type + " is not part of this build";
}

std::string ModelRegistry::unconfigured() const {
  if (!found_key_.empty()) return found_key_ + " is set, but this build can only use offline";
  if (!entries_.empty()) return "models are configured, but roles.default names none";
  return "no model is configured";
}

ModelChoice ModelRegistry::choose(std::string_view role) const {
  for (const std::string_view source : {role, family_of(role), std::string_view("default")}) {
    const auto named = roles_.find(std::string(source));
    if (source.empty() || named == roles_.end() || named->second.name.empty()) continue;
    const RoleModel& wanted = named->second;
    const std::string origin = "roles." + std::string(source);
    const std::string missing = obstacle(wanted.name);
    const ModelEntry* const known = entry(wanted.name);
    const std::string family(known == nullptr ? std::string_view() : family_of(*known));
    if (missing.empty()) return {wanted.name, family, origin};
    for (const std::string& other : wanted.fallback) {
      if (!obstacle(other).empty()) continue;
      return {other, "", origin + ": fallback of " + wanted.name + ", " + missing};
    }
    return {wanted.name, family, origin + ": " + missing};
  }
  return {std::string(kOffline), "", unconfigured()};
}

Task<Result<Completion>> ModelRegistry::complete(std::string model, ModelRequest request,
                                                 TextSink on_text) {
  const std::string missing = obstacle(model);
  if (!missing.empty()) {
    const bool known = entry(model) != nullptr;
    const ErrorCode code = known ? ErrorCode::model_unavailable : ErrorCode::model_unknown;
    co_return Error{code,
                    "Model " + quoted(model) + " cannot be used: " + missing + ".",
                    "Run \"brainstorm-ls models\" to see which models can be used, and name one of "
                    "them in roles; \"offline\" always works.",
                    {{"model", model}}};
  }
  auto answer = co_await offline_->complete(std::move(request), std::move(on_text));
  co_return answer;
}

std::vector<ModelInfo> ModelRegistry::models() const {
  std::vector<ModelInfo> list;
  for (const ModelEntry& one : entries_) {
    if (one.name == kOffline) continue;  // that name is always the built-in one
    std::string missing = obstacle(one.name);
    const bool usable = missing.empty();
    list.push_back({one.name, one.type, one.model, usable, std::move(missing), {}});
  }
  list.push_back({std::string(kOffline),
                  std::string(kOffline),
                  "",
                  true,
                  "always there: writes worksheets without a model",
                  {}});
  std::vector<std::string> roles(kRoles.begin(), kRoles.end());
  for (const auto& [role, model] : roles_) {
    if (role != "default" && std::find(roles.begin(), roles.end(), role) == roles.end()) {
      roles.push_back(role);
    }
  }
  for (const std::string& role : roles) {
    const ModelChoice choice = choose(role);
    for (ModelInfo& info : list) {
      if (info.name != choice.name) continue;
      info.roles.push_back(role);
      if (info.reachable && info.roles.size() == 1) info.reason = choice.reason;
    }
  }
  return list;
}

}  // namespace brainstorm
