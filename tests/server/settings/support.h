#pragma once
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "server/settings/settings.h"

namespace brainstorm::test {

/// A directory of its own for one test.
class Directory {
 public:
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "settings-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string write(const std::string& name, const std::string& content, mode_t mode = 0600) const {
    const auto file = path_ + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file) << content;
    ::chmod(file.c_str(), mode);
    return file;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Settings as the person's own file, with mode 0600.
inline Result<LoadedSettings> person(const std::string& yaml, mode_t mode = 0600) {
  const Directory directory;
  SettingSources sources;
  sources.person_file = directory.write("config.yaml", yaml, mode);
  return load_settings(sources);
}

inline Result<LoadedSettings> workspace(const std::string& yaml, bool trusted) {
  const Directory directory;
  SettingSources sources;
  sources.workspace_file = directory.write(".workflow/config.yaml", yaml);
  sources.workspace_trusted = trusted;
  return load_settings(sources);
}

inline const SettingOrigin* origin(const LoadedSettings& settings, const std::string& key) {
  for (const auto& setting : settings.origins) {
    if (setting.key == key) return &setting;
  }
  return nullptr;
}

inline std::string value(const LoadedSettings& settings, const std::string& key) {
  const auto* found = origin(settings, key);
  return found ? found->value : "absent";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline bool warns(const LoadedSettings& settings, const std::string& part) {
  for (const auto& warning : settings.warnings) {
    if (has(warning, part)) return true;
  }
  return false;
}

}  // namespace brainstorm::test
