// The health report: the commonest reasons why nothing works, each with what to do about it.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "commands/session/timestamp.h"
#include "protocol/text.h"
#include "server/app.h"
#include "server/models/registry.h"
#include "server/os/paths.h"
#include "server/os/process.h"

namespace brainstorm {
namespace {

HealthCheck ok(std::string id, std::string text) {
  return {std::move(id), "ok", std::move(text), {}};
}

HealthCheck warning(std::string id, std::string text, std::string hint) {
  return {std::move(id), "warning", std::move(text), std::move(hint)};
}

HealthCheck error(std::string id, std::string text, std::string hint) {
  return {std::move(id), "error", std::move(text), std::move(hint)};
}

HealthCheck check_folder(const std::string& folder) {
  struct stat facts {};
  if (folder.empty() || ::stat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
    return error("folder", "There is no workspace folder" + (folder.empty() ? "" : " " + folder),
                 "Open a folder in the editor, or use --folder DIR.");
  }
  return ok("folder", "The workspace folder is " + folder);
}

HealthCheck check_writable(const std::string& folder) {
  const auto directory = folder + "/.workflow";
  struct stat facts {};
  const bool exists = ::lstat(directory.c_str(), &facts) == 0;
  if (exists && !S_ISDIR(facts.st_mode)) {
    return error("writable", directory + " is not a directory",
                 "Move it away: sessions are kept in a real directory of that name.");
  }
  const auto& target = exists ? directory : folder;
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    return error("writable", target + " cannot be written: " + std::strerror(errno),
                 "Sessions are kept there: give yourself write permission, or use --folder DIR.");
  }
  return ok("writable", exists ? directory + " can be written"
                               : ".workflow/ does not exist yet and can be created");
}

HealthCheck check_settings(const App& app, const std::string& folder) {
  if (const auto problem = app.settings_problem(); !problem) {
    return error("settings", problem.error().message, problem.error().hint);
  }
  const auto& warnings = app.settings(folder).warnings;
  if (!warnings.empty()) {
    return warning("settings", text::join(warnings, "\n"),
                   "`brainstorm-ls config` shows every setting and where it comes from.");
  }
  return ok("settings", "The settings are in order");
}

HealthCheck check_model(App& app) {
  const auto choice = app.models().choose("default");
  if (choice.name == "offline") {
    return warning("model", "The built-in `offline` model is used: " + choice.reason,
                   "It writes worksheets from your own files; no model thinks about them.");
  }
  for (const auto& model : app.models().models()) {
    if (model.name == choice.name && !model.reachable) {
      return error("model", "`" + model.name + "` cannot be used: " + model.reason,
                   "`brainstorm-ls models` lists what can be used.");
    }
  }
  return ok("model", "`" + choice.name + "` is used: " + choice.reason);
}

HealthCheck check_keys(const App& app, const std::string& folder,
                       const std::map<std::string, std::string>& variables) {
  std::vector<std::string> unused;
  for (const std::string name : {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"}) {
    const auto& models = app.settings(folder).models;
    const bool used = std::any_of(models.begin(), models.end(), [&](const ModelEntry& entry) {
      return entry.api_key.env == name;
    });
    if (variables.contains(name) && !used) unused.push_back(name);
  }
  if (unused.empty()) return ok("keys", "No key lies unused in the environment");
  return warning("keys", text::join(unused, ", ") + " is set, but no model of the settings uses it",
                 "A key that was only found is never used unasked.");
}

HealthCheck check_git(const std::string& folder,
                      const std::map<std::string, std::string>& variables) {
  const auto path = variables.find("PATH");
  std::string_view rest = path == variables.end() ? "" : std::string_view(path->second);
  bool found = false;
  while (!rest.empty() && !found) {
    const auto colon = rest.find(':');
    const auto program = std::string(rest.substr(0, colon)) + "/git";
    found = program.size() > 4 && ::access(program.c_str(), X_OK) == 0;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  if (!found) {
    return warning("git", "git is not installed", "Files are found by a slower walk without it.");
  }
  const auto root = find_workspace(folder) + "/.git";
  if (::access(root.c_str(), F_OK) != 0) {
    return ok("git", "git is installed; this folder is no repository, so all its files count");
  }
  return ok("git", "git is installed and says which files belong to the project");
}

HealthCheck check_disk(const std::string& folder) {
  struct statvfs facts {};
  if (::statvfs(folder.c_str(), &facts) != 0) {
    return error("disk", folder + ": " + std::strerror(errno), "Check the disk.");
  }
  const auto mebibytes = facts.f_bavail * facts.f_frsize / (1024 * 1024);
  const auto text = std::to_string(mebibytes) + " MiB are free where sessions are kept";
  const char* hint = "Make room: a session that cannot be written stops.";
  if (mebibytes < 10) return error("disk", text, hint);
  if (mebibytes < 200) return warning("disk", text, hint);
  return ok("disk", text);
}

HealthCheck check_locks(const std::string& folder) {
  constexpr unsigned long kNfs = 0x6969, kSmb = 0x517b, kCifs = 0xff534d42, kSmb2 = 0xfe534d42;
  struct statfs facts {};
  if (::statfs(folder.c_str(), &facts) != 0) return ok("locks", "The file system is not known");
  const auto type = static_cast<unsigned long>(facts.f_type) & 0xffffffffUL;
  if (type == kNfs || type == kSmb || type == kCifs || type == kSmb2) {
    return warning("locks", "The folder is on a network file system",
                   "Do not work on one session from two machines: locks may not hold there.");
  }
  return ok("locks", "Locks of sessions hold on this file system");
}

HealthCheck check_sessions(App& app, const std::string& folder) {
  Store* store = app.store(folder);
  if (!store) return ok("sessions", "Sessions were not looked at");
  const auto listing = store->list(10000);
  if (!listing) return error("sessions", listing.error().message, listing.error().hint);
  const auto count = std::to_string(listing->sessions.size()) + " sessions";
  if (listing->unreadable > 0) {
    return warning(
        "sessions",
        count + ", and " + std::to_string(listing->unreadable) + " whose state cannot be read",
        "Look into their directories below .workflow/; move broken ones away.");
  }
  SessionFilter filter;
  filter.folder = folder;
  const auto known = app.sessions().list(filter);
  const auto open = known ? std::count_if(known->begin(), known->end(),
                                          [](const auto& one) { return one.resumable; })
                          : 0;
  if (open > 0) {
    return warning("sessions", count + ", " + std::to_string(open) + " of them unfinished",
                   "`brainstorm-ls sessions` lists them; resume, cancel or archive them.");
  }
  return ok("sessions", count + ", none of them unfinished");
}

HealthCheck check_clock(App& app, const std::string& folder) {
  const auto now = app.clock().wall();
  const auto year = iso8601(now).substr(0, 4);
  if (year < "2025") {
    return warning("clock", "The clock says it is " + year, "Set it: sessions expire by it.");
  }
  Store* store = app.store(folder);
  const auto listing = store ? store->list(1) : Store::Listing{};
  if (listing && !listing->sessions.empty()) {
    const auto updated = parse_iso8601(listing->sessions.front().updated_at);
    if (updated && *updated > now + std::chrono::minutes(5)) {
      return warning("clock", "The newest session was written in the future",
                     "Compare this clock with that of the machine which wrote it.");
    }
  }
  return ok("clock", "The clock is plausible");
}

HealthCheck check_home() {
  if (paths::config_dir().empty()) {
    return warning("home", "There is no home directory, so there are no settings of your own",
                   "Set HOME or XDG_CONFIG_HOME.");
  }
  return ok("home", "Your settings are in " + person_settings_path());
}

HealthCheck check_terminal(const std::map<std::string, std::string>& variables) {
  std::string locale;
  for (const std::string name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto found = variables.find(name);
    if (locale.empty() && found != variables.end()) locale = found->second;
  }
  const bool utf8 = text::contains_ci(locale, "utf-8") || text::contains_ci(locale, "utf8");
  if (!::isatty(STDOUT_FILENO) || utf8) return ok("terminal", "Text is written as UTF-8");
  return warning(
      "terminal",
      "The locale is " + (locale.empty() ? "not set" : locale) + ", text is written as UTF-8",
      "Set LANG to a UTF-8 locale, as C.UTF-8, if signs look wrong.");
}

}  // namespace

std::vector<HealthCheck> examine(App& app, const std::string& folder) {
  const auto variables = environment();
  std::vector<HealthCheck> checks;
  checks.push_back(check_folder(folder));
  const bool exists = checks.back().status == "ok";
  checks.push_back(check_settings(app, folder));
  checks.push_back(check_home());
  checks.push_back(check_model(app));
  checks.push_back(check_keys(app, folder, variables));
  if (exists) {
    checks.push_back(check_writable(folder));
    checks.push_back(check_disk(folder));
    checks.push_back(check_locks(folder));
    checks.push_back(check_git(folder, variables));
    checks.push_back(check_sessions(app, folder));
  }
  checks.push_back(check_clock(app, folder));
  checks.push_back(check_terminal(variables));
  return checks;
}

}  // namespace brainstorm
