#pragma once
// The whole product but its front end: clock, settings, models, folders, sessions. The language
// server and the command line each make one App with their own Person.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "commands/ports.h"
#include "commands/session/manager.h"
#include "protocol/json.h"
#include "protocol/result.h"
#include "server/settings/settings.h"

namespace asio {
class io_context;
}

namespace brainstorm {

class ModelRegistry;

struct AppOptions {
  std::string person_file;  // settings file; empty: person_settings_path()
  std::vector<std::string> trusted_folders;
  bool restricted = false;                // artefacts may be read, nothing starts
  std::unique_ptr<Json> client_settings;  // may be null
  std::unique_ptr<Json> command_line;     // may be null
};

class App {
 public:
  App(asio::io_context& io, Person& person, AppOptions options);
  ~App();

  SessionManager& sessions();
  ModelRegistry& models();
  Clock& clock();

  /// Opens a workspace folder: its store, its files, its settings. settings_invalid and
  /// folder_missing are returned; warnings go to the Person.
  Ok open_folder(const std::string& path);
  Task<void> close_folder(std::string path);
  std::vector<std::string> folders() const;
  /// Effective settings of a folder (empty: without any folder).
  const LoadedSettings& settings(const std::string& folder) const;
  /// Reads every source again, with the client's new settings.
  Ok reload(std::unique_ptr<Json> client_settings, std::vector<std::string> trusted_folders,
            bool restricted);

  /// What kept the settings from being read at the last load or reload, for the health report.
  Ok settings_problem() const;

  /// Store and workspace of an open folder; nullptr when it is not open.
  Store* store(const std::string& folder);
  Workspace* workspace(const std::string& folder);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The nearest ancestor of `directory` (or itself) with .workflow, else its git root, else itself.
std::string find_workspace(const std::string& directory);

/// The health report of `brainstorm.doctor` and `doctor`: {checks [{id, status ok·warning·error,
/// text, hint}], …}. Nothing is changed, nothing is sent anywhere.
struct HealthCheck {
  std::string id;
  std::string status;  // ok · warning · error
  std::string text;
  std::string hint;
};
std::vector<HealthCheck> examine(App& app, const std::string& folder);

}  // namespace brainstorm
