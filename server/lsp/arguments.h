#pragma once
// The argument objects of our commands, read strictly: every error is invalid_argument and names
// the path of the bad field, as in "params.arguments[0].context[1].range.start.line". Fields that
// we do not know are ignored, so that clients newer than this server work.

#include <optional>
#include <string>
#include <vector>

#include "commands/session/manager.h"
#include "protocol/json.h"
#include "protocol/lsp.h"

namespace brainstorm::arguments {

/// Material named by the client; its text may still have to be fetched.
struct Context {
  std::string kind;
  std::optional<std::string> uri;
  std::optional<lsp::Range> range;
  std::optional<std::string> text;
  std::string path;  // of this item, for errors about it
};

struct Start {
  StartRequest request;  // context and origin's text are filled in later
  bool has_question = false;
  std::vector<Context> context;
  bool has_origin_text = false;
  bool wait = false;
  bool dry_run = false;
};
Result<Start> start(const Json& object);

Result<SessionFilter> sessions(const Json& object);

struct Show {
  std::string session;
  std::string what = "synthesis";
  std::string agent;
};
Result<Show> show(const Json& object);

Result<Answer> decide(const Json& object);

/// {session} of accept, resume, cancel and archive.
Result<std::string> session(const Json& object);
/// {session?} of doctor.
Result<std::optional<std::string>> maybe_session(const Json& object);

/// A folder as clients name one: a file URI or an absolute path. invalid_argument.
Result<std::string> folder_path(const std::string& folder, const std::string& field);

/// What initializationOptions and didChangeConfiguration carry: settings, and beside them what the
/// person's editor vouches for.
struct ClientSettings {
  std::unique_ptr<Json> settings;  // the settings object alone; null when there is none
  std::optional<std::vector<std::string>> trusted_folders;  // paths
  std::optional<bool> restricted;
};
/// Lenient: `value` may have any shape, also {"brainstorm": {…}}.
ClientSettings client_settings(const Json& value);

}  // namespace brainstorm::arguments
