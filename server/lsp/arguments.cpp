#include "server/lsp/arguments.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/text.h"
#include "server/os/paths.h"

namespace brainstorm::arguments {
namespace {

constexpr std::string_view kRoot = lsp::kArgumentPath;

std::string below(std::string_view path, std::string_view key) {
  return std::string(path) + "." + std::string(key);
}

Error bad(const std::string& field, const std::string& wanted) {
  return Error{ErrorCode::invalid_argument,
               "\"" + field + "\" is not " + wanted + ".",
               "Give \"" + field + "\" as " + wanted + ".",
               {{"field", field}}};
}

/// Names a field in an error of something that read its value.
Error at_field(Error error, const std::string& field) {
  error.code = ErrorCode::invalid_argument;
  error.data["field"] = field;
  return error;
}

template <std::size_t N>
Ok need_one_of(const std::string& value, const std::array<std::string_view, N>& allowed,
               const std::string& field) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return {};
  std::string list;
  for (const std::string_view one : allowed) list += (list.empty() ? "" : ", ") + std::string(one);
  return bad(field, "one of " + list);
}

Result<std::string> text_at(const Json& object, std::string_view key) {
  TRY(std::string value, json::string_at(object, key, kRoot));
  if (text::trim(value).empty()) return bad(below(kRoot, key), "a text that is not empty");
  return value;
}

/// A member that must be an object where it is given.
Result<const Json*> maybe_object(const Json& object, std::string_view key, std::string_view path) {
  const Json* found = json::find(object, key);
  if (found != nullptr && found->is_array() && found->empty()) return nullptr;
  if (found != nullptr && !found->is_object()) return bad(below(path, key), "an object");
  return found;
}

Result<std::map<std::string, std::string>> texts_in(const Json& object, std::string_view key) {
  std::map<std::string, std::string> texts;
  TRY(const Json* members, maybe_object(object, key, kRoot));
  if (members == nullptr) return texts;
  for (const auto& [name, value] : members->items()) {
    if (value.is_null()) continue;
    if (value.is_string()) {
      texts[name] = value.get<std::string>();
    } else if (value.is_boolean() || value.is_number()) {
      texts[name] = json::dump(value);
    } else {
      return bad(below(below(kRoot, key), name), "a text, a number or a truth value");
    }
  }
  return texts;
}

Result<std::optional<lsp::Range>> maybe_range(const Json& object, std::string_view path) {
  if (json::find(object, "range") == nullptr) return std::optional<lsp::Range>();
  TRY(const lsp::Range range, lsp::range_at(object, "range", path));
  return std::optional<lsp::Range>(range);
}

Result<Context> context_item(const Json& item, const std::string& path) {
  static constexpr std::array<std::string_view, 5> kKinds = {"selection", "file", "diagnostics",
                                                             "diff", "text"};
  if (!item.is_object()) return bad(path, "an object");
  Context context;
  context.path = path;
  TRY(context.kind, json::string_at(item, "kind", path));
  TRY_OK(need_one_of(context.kind, kKinds, below(path, "kind")));
  TRY(context.uri, json::maybe_string(item, "uri", path));
  TRY(context.range, maybe_range(item, path));
  TRY(context.text, json::maybe_string(item, "text", path));
  const bool from_file = context.kind == "selection" || context.kind == "file";
  if (!context.text && !(from_file && context.uri)) {
    return bad(below(path, from_file ? "uri" : "text"), "a text");
  }
  return context;
}

Ok read_context(const Json& object, Start& start) {
  const Json* list = json::find(object, "context");
  if (list == nullptr) return {};
  if (!list->is_array()) return bad(below(kRoot, "context"), "a list of objects");
  for (const Json& item : *list) {
    const auto index = std::to_string(start.context.size());
    TRY(Context context, context_item(item, below(kRoot, "context") + "[" + index + "]"));
    start.context.push_back(std::move(context));
  }
  return {};
}

Ok read_origin(const Json& object, Start& start) {
  TRY(const Json* origin, maybe_object(object, "origin", kRoot));
  if (origin == nullptr) return {};
  const std::string path = below(kRoot, "origin");
  Origin read;
  TRY(read.uri, json::string_at(*origin, "uri", path));
  TRY(const lsp::Range range, lsp::range_at(*origin, "range", path));
  read.start_line = range.start.line;
  read.start_character = range.start.character;
  read.end_line = range.end.line;
  read.end_character = range.end.character;
  TRY(auto text, json::maybe_string(*origin, "text", path));
  start.has_origin_text = text.has_value();
  read.text = std::move(text).value_or("");
  start.request.origin = std::move(read);
  return {};
}

Ok read_checkpoints(const Json& object, Start& start) {
  static constexpr std::array<std::string_view, 3> kNames = {"none", "gates", "all"};
  TRY(auto name, json::maybe_string(object, "checkpoints", kRoot));
  if (!name) return {};
  TRY_OK(need_one_of(*name, kNames, below(kRoot, "checkpoints")));
  start.request.checkpoints = *name == "none"    ? Checkpoints::none
                              : *name == "gates" ? Checkpoints::gates
                                                 : Checkpoints::all;
  return {};
}

Ok read_models(const Json& object, Start& start) {
  TRY(const Json* models, maybe_object(object, "models", kRoot));
  if (models == nullptr) return {};
  for (const auto& [role, name] : models->items()) {
    if (!name.is_string()) return bad(below(below(kRoot, "models"), role), "a text");
    start.request.models[role] = name.get<std::string>();
  }
  return {};
}

/// What a person may rely on is refused rather than ignored.
Ok refuse_what_is_missing(const Json& object) {
  static constexpr std::array<std::string_view, 2> kResearch = {"none", "auto"};
  TRY(auto research, json::maybe_string(object, "research", kRoot));
  if (research) TRY_OK(need_one_of(*research, kResearch, below(kRoot, "research")));
  for (const std::string_view key : {"handoff", "budget"}) {
    if (json::find(object, key) == nullptr) continue;
    return Error{ErrorCode::unsupported,
                 "This build cannot do what \"" + std::string(key) + "\" asks for.",
                 "Leave \"" + std::string(key) + "\" out.",
                 {{"field", below(kRoot, key)}}};
  }
  return {};
}

}  // namespace

Result<Start> start(const Json& object) {
  Start start;
  TRY(auto question, json::maybe_string(object, "question", kRoot));
  start.has_question = question.has_value();
  start.request.question = std::move(question).value_or("");
  TRY(auto mode, json::maybe_string(object, "mode", kRoot));
  if (mode) start.request.mode = *std::move(mode);
  TRY(auto folder, json::maybe_string(object, "folder", kRoot));
  if (folder) {
    TRY(start.request.folder, folder_path(*folder, below(kRoot, "folder")));
  }
  TRY_OK(read_origin(object, start));
  TRY_OK(read_context(object, start));
  TRY_OK(read_checkpoints(object, start));
  TRY_OK(read_models(object, start));
  TRY(const auto wait, json::maybe_bool(object, "wait", kRoot));
  TRY(const auto dry_run, json::maybe_bool(object, "dryRun", kRoot));
  start.wait = wait.value_or(false);
  start.dry_run = dry_run.value_or(false);
  TRY_OK(refuse_what_is_missing(object));
  return start;
}

Result<SessionFilter> sessions(const Json& object) {
  SessionFilter filter;
  TRY(const Json* given, maybe_object(object, "filter", kRoot));
  if (given == nullptr) return filter;
  const std::string path = below(kRoot, "filter");
  TRY(auto state, json::maybe_string(*given, "state", path));
  TRY(auto mode, json::maybe_string(*given, "mode", path));
  TRY(auto folder, json::maybe_string(*given, "folder", path));
  TRY(const auto limit, json::maybe_integer(*given, "limit", path));
  filter.state = std::move(state).value_or("");
  filter.mode = std::move(mode).value_or("");
  if (folder) {
    TRY(filter.folder, folder_path(*folder, below(path, "folder")));
  }
  if (limit) {
    if (*limit < 1) return bad(below(path, "limit"), "a number from 1 on");
    filter.limit = static_cast<std::size_t>(*limit);
  }
  return filter;
}

Result<Show> show(const Json& object) {
  Show show;
  TRY(show.session, text_at(object, "session"));
  TRY(auto what, json::maybe_string(object, "what", kRoot));
  TRY(auto agent, json::maybe_string(object, "agent", kRoot));
  if (what) show.what = *std::move(what);
  show.agent = std::move(agent).value_or("");
  return show;
}

Result<Answer> decide(const Json& object) {
  Answer answer;
  TRY(answer.session, text_at(object, "session"));
  TRY(auto decision, json::maybe_string(object, "decision", kRoot));
  answer.decision = std::move(decision).value_or("");
  TRY(answer.choice, text_at(object, "choice"));
  TRY(answer.values, texts_in(object, "values"));
  return answer;
}

Result<std::string> session(const Json& object) { return text_at(object, "session"); }

Result<std::optional<std::string>> maybe_session(const Json& object) {
  return json::maybe_string(object, "session", kRoot);
}

Result<std::string> folder_path(const std::string& folder, const std::string& field) {
  std::string path = folder;
  if (text::starts_with_ci(folder, "file:")) {
    auto from_uri = paths::from_uri(folder);
    if (!from_uri) return at_field(from_uri.error(), field);
    path = *std::move(from_uri);
  }
  if (!path.starts_with('/') || path.find('\0') != std::string::npos) {
    return bad(field, "a file URI or an absolute path");
  }
  auto real = paths::real(path);
  return real ? *std::move(real) : path;
}

ClientSettings client_settings(const Json& value) {
  ClientSettings read;
  // Editors send {"brainstorm": null} while nothing is configured.
  const bool nested = value.is_object() && value.contains("brainstorm");
  const Json& object = nested ? value.at("brainstorm") : value;
  if (!object.is_object()) return read;
  read.settings = std::make_unique<Json>(object);
  if (const Json* trusted = json::find(object, "trustedFolders"); trusted && trusted->is_array()) {
    read.trusted_folders.emplace();
    for (const Json& folder : *trusted) {
      if (!folder.is_string()) continue;
      auto path = folder_path(folder.get<std::string>(), "trustedFolders");
      if (path) read.trusted_folders->push_back(*std::move(path));
    }
  }
  if (const Json* restricted = json::find(object, "restricted")) {
    // Whatever is said oddly about safety counts as the safe answer.
    read.restricted = !restricted->is_boolean() || restricted->get<bool>();
  }
  read.settings->erase("trustedFolders");
  read.settings->erase("restricted");
  if (read.settings->empty()) read.settings.reset();
  return read;
}

}  // namespace brainstorm::arguments
