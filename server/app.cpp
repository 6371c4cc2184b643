#include "server/app.h"

#include <sys/stat.h>

#include <algorithm>
#include <asio/io_context.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/swarm/swarm.h"
#include "commands/task.h"
#include "server/models/registry.h"
#include "server/os/clock.h"
#include "server/os/paths.h"
#include "server/os/process.h"
#include "server/research/workspace.h"
#include "server/store/file_store.h"

namespace brainstorm {
namespace {

struct Folder {
  Folder(const asio::any_io_executor& executor, Clock& clock, SyncThread& sync,
         const std::string& path)
      : store(executor, clock, sync, path), workspace(clock, path) {}
  FileStore store;
  FolderWorkspace workspace;
  LoadedSettings settings;  // the session manager refers to it: replaced in place, never moved
};

bool is_directory(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

/// Links are not followed: a linked .workflow could be anywhere.
bool has_entry(const std::string& directory, const std::string& name, bool only_directory) {
  struct stat facts {};
  const auto path = directory == "/" ? "/" + name : directory + "/" + name;
  if (::lstat(path.c_str(), &facts) != 0) return false;
  return S_ISDIR(facts.st_mode) || (!only_directory && S_ISREG(facts.st_mode));
}

std::string parent(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

std::string nearest_with(const std::string& from, const std::string& name, bool only_directory) {
  for (std::string path = from;; path = parent(path)) {
    if (has_entry(path, name, only_directory)) return path;
    if (path == "/") return {};
  }
}

}  // namespace

struct App::Impl {
  Impl(asio::io_context& context, Person& owner, AppOptions given)
      : io(context),
        person(owner),
        options(std::move(given)),
        variables(environment()),
        registry(clock),
        manager(context.get_executor(), clock, registry, person) {
    manager.add_mode(make_swarm());
    if (options.person_file.empty()) options.person_file = person_settings_path();
    if (auto loaded = load({})) {
      base = *std::move(loaded);
    } else {
      problem = loaded.error();
    }
    registry.configure(base, variables);
  }

  bool is_trusted(const std::string& folder) const {
    const auto covers = [&](const std::string& trusted) {
      auto real = paths::real(trusted);
      return real && paths::is_below(*real, folder);
    };
    return std::any_of(options.trusted_folders.begin(), options.trusted_folders.end(), covers);
  }

  Result<LoadedSettings> load(const std::string& folder) const {
    SettingSources sources;
    sources.person_file = options.person_file;
    sources.environment = variables;
    sources.client = options.client_settings.get();
    sources.command_line = options.command_line.get();
    if (!folder.empty()) {
      sources.workspace_file = folder + "/.workflow/config.yaml";
      sources.workspace_trusted = is_trusted(folder);
    }
    TRY(auto loaded, load_settings(sources));
    loaded.engine.restricted = options.restricted;
    return loaded;
  }

  /// One registry serves all folders: what a trusted workspace says of roles counts only while it
  /// is the only folder.
  void configure_models() {
    const bool only = folders.size() == 1;
    registry.configure(only ? folders.begin()->second->settings : base, variables);
  }

  void tell(const std::vector<std::string>& warnings) {
    for (const auto& warning : warnings) {
      if (std::find(told.begin(), told.end(), warning) != told.end()) continue;
      told.push_back(warning);
      person.notify(Person::Level::warning, warning);
    }
  }

  Ok reload_all() {
    problem.reset();
    auto next_base = load({});
    if (!next_base) {
      problem = next_base.error();
      return *problem;
    }
    base = *std::move(next_base);
    for (auto& [path, folder] : folders) {
      TRY(folder->settings, load(path));
    }
    configure_models();
    tell(base.warnings);
    for (auto& [path, folder] : folders) tell(folder->settings.warnings);
    return {};
  }

  asio::io_context& io;
  Person& person;
  AppOptions options;
  std::map<std::string, std::string> variables;
  SystemClock clock;
  SyncThread sync;
  ModelRegistry registry;
  LoadedSettings base;
  std::optional<Error> problem;
  std::vector<std::string> told;  // warnings that were shown: each is shown once
  std::map<std::string, std::unique_ptr<Folder>> folders;
  SessionManager manager;  // last: it refers to the folders and ends before them
};

App::App(asio::io_context& io, Person& person, AppOptions options)
    : impl_(std::make_unique<Impl>(io, person, std::move(options))) {}

App::~App() = default;

SessionManager& App::sessions() { return impl_->manager; }
ModelRegistry& App::models() { return impl_->registry; }
Clock& App::clock() { return impl_->clock; }

Ok App::open_folder(const std::string& path) {
  auto real = paths::real(path);
  if (!real || !is_directory(*real)) {
    return Error{ErrorCode::folder_missing,
                 "There is no folder " + path + ".",
                 "Name an existing directory, or create it first.",
                 {{"folder", path}}};
  }
  if (impl_->folders.contains(*real)) return {};
  if (impl_->problem) return *impl_->problem;
  auto folder =
      std::make_unique<Folder>(impl_->io.get_executor(), impl_->clock, impl_->sync, *real);
  TRY(folder->settings, impl_->load(*real));
  auto& kept = *(impl_->folders[*real] = std::move(folder));
  impl_->manager.add_folder(*real, kept.store, kept.workspace, kept.settings.engine);
  impl_->configure_models();
  impl_->tell(kept.settings.warnings);
  return {};
}

Task<void> App::close_folder(std::string path) {
  const auto found = impl_->folders.find(path);
  if (found == impl_->folders.end()) co_return;
  co_await impl_->manager.remove_folder(path);
  impl_->folders.erase(path);
  impl_->configure_models();
}

std::vector<std::string> App::folders() const {
  std::vector<std::string> paths;
  for (const auto& [path, folder] : impl_->folders) paths.push_back(path);
  return paths;
}

const LoadedSettings& App::settings(const std::string& folder) const {
  const auto found = impl_->folders.find(folder);
  return found == impl_->folders.end() ? impl_->base : found->second->settings;
}

Ok App::reload(std::unique_ptr<Json> client_settings, std::vector<std::string> trusted_folders,
               bool restricted) {
  impl_->options.client_settings = std::move(client_settings);
  impl_->options.trusted_folders = std::move(trusted_folders);
  impl_->options.restricted = restricted;
  return impl_->reload_all();
}

Ok App::settings_problem() const {
  if (impl_->problem) return *impl_->problem;
  return {};
}

Store* App::store(const std::string& folder) {
  const auto found = impl_->folders.find(folder);
  return found == impl_->folders.end() ? nullptr : &found->second->store;
}

Workspace* App::workspace(const std::string& folder) {
  const auto found = impl_->folders.find(folder);
  return found == impl_->folders.end() ? nullptr : &found->second->workspace;
}

std::string find_workspace(const std::string& directory) {
  if (auto found = nearest_with(directory, ".workflow", true); !found.empty()) return found;
  if (auto found = nearest_with(directory, ".git", false); !found.empty()) return found;
  return directory;
}

}  // namespace brainstorm
