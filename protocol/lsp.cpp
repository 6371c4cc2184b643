#include "protocol/lsp.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace brainstorm::lsp {
namespace {

Error bad(const std::string& field, const std::string& wanted) {
  return Error{ErrorCode::invalid_argument,
               "\"" + field + "\" is not " + wanted + ".",
               "Give \"" + field + "\" as " + wanted + ".",
               {{"field", field}}};
}

std::string below(std::string_view path, std::string_view key) {
  std::string field(path);
  if (!field.empty()) field += '.';
  return field += key;
}

/// `params` of a message that needs them.
Ok need_object(const Json& value, const std::string& path) {
  if (!value.is_object()) return bad(path, "an object");
  return {};
}

Result<const Json*> object_at(const Json& object, std::string_view key, std::string_view path) {
  const Json* found = json::find(object, key);
  if (found == nullptr || !found->is_object()) return bad(below(path, key), "an object");
  return found;
}

/// A list of objects; absent and null are an empty one.
Result<const Json*> maybe_list(const Json& object, std::string_view key, std::string_view path) {
  static const Json kNone = Json::array();
  const Json* found = json::find(object, key);
  if (found == nullptr) return &kNone;
  if (!found->is_array()) return bad(below(path, key), "a list");
  return found;
}

Result<std::vector<std::string>> folder_uris(const Json& object, std::string_view key,
                                             std::string_view path) {
  TRY(const Json* list, maybe_list(object, key, path));
  std::vector<std::string> uris;
  for (const Json& folder : *list) {
    const std::string at = below(path, key) + "[" + std::to_string(uris.size()) + "]";
    TRY_OK(need_object(folder, at));
    TRY(std::string uri, json::string_at(folder, "uri", at));
    uris.push_back(std::move(uri));
  }
  return uris;
}

bool declared(const Json& object, std::string_view key) {
  return json::bool_or(object, key, false);
}

Result<int> unsigned_at(const Json& object, std::string_view key, std::string_view path) {
  TRY(const std::int64_t value, json::integer_at(object, key, path));
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    return bad(below(path, key), "a number from 0 to 2147483647");
  }
  return static_cast<int>(value);
}

bool offers_utf8(const Json& capabilities) {
  const Json* general = json::find(capabilities, "general");
  const Json* offered = general == nullptr ? nullptr : json::find(*general, "positionEncodings");
  if (offered == nullptr || !offered->is_array()) return false;
  for (const Json& encoding : *offered) {
    if (encoding == "utf-8") return true;
  }
  return false;
}

}  // namespace

std::string_view to_string(Encoding encoding) {
  return encoding == Encoding::utf8 ? "utf-8" : "utf-16";
}

ClientFeatures client_features(const Json& capabilities) {
  ClientFeatures features;
  if (offers_utf8(capabilities)) features.encoding = Encoding::utf8;
  if (const Json* window = json::find(capabilities, "window")) {
    features.work_done_progress = declared(*window, "workDoneProgress");
    const Json* message = json::find(*window, "showMessage");
    features.message_request = message != nullptr && message->is_object();
    const Json* document = json::find(*window, "showDocument");
    features.show_document = document != nullptr && declared(*document, "support");
  }
  const Json* experimental = json::find(capabilities, "experimental");
  if (experimental == nullptr) return features;
  features.server_status = declared(*experimental, "serverStatusNotification");
  if (const Json* ours = json::find(*experimental, "brainstorm")) {
    features.input = declared(*ours, "input");
    features.session = declared(*ours, "session");
    features.delta = declared(*ours, "delta");
  }
  return features;
}

Trace trace_from(std::string_view value) {
  if (value == "messages") return Trace::messages;
  return value == "verbose" ? Trace::verbose : Trace::off;
}

Result<InitializeParams> initialize_params(const Json& params) {
  TRY_OK(need_object(params, "params"));
  InitializeParams read;
  TRY(read.process_id, json::maybe_integer(params, "processId", "params"));
  TRY(read.folders, folder_uris(params, "workspaceFolders", "params"));
  TRY(auto root_uri, json::maybe_string(params, "rootUri", "params"));
  TRY(auto root_path, json::maybe_string(params, "rootPath", "params"));
  const bool use_root = json::find(params, "workspaceFolders") == nullptr;
  if (use_root && root_uri) {
    read.folders.push_back(*std::move(root_uri));
  } else if (use_root && root_path) {
    read.folders.push_back(*std::move(root_path));
  }
  if (const Json* capabilities = json::find(params, "capabilities")) {
    if (!capabilities->is_object() && !(capabilities->is_array() && capabilities->empty())) {
      return bad("params.capabilities", "an object");
    }
    read.features = client_features(*capabilities);
  }
  read.trace = trace_from(json::text_or(params, "trace"));
  return read;
}

Result<OpenedDocument> opened_document(const Json& params) {
  TRY(const Json* document, object_at(params, "textDocument", "params"));
  OpenedDocument read;
  TRY(read.uri, json::string_at(*document, "uri", "params.textDocument"));
  TRY(read.text, json::string_at(*document, "text", "params.textDocument"));
  return read;
}

Result<DocumentChange> document_change(const Json& params) {
  DocumentChange read;
  TRY(read.uri, document_uri(params));
  TRY(const Json* changes, maybe_list(params, "contentChanges", "params"));
  for (const Json& change : *changes) {
    const std::string at = "params.contentChanges[" + std::to_string(read.changes.size()) + "]";
    TRY_OK(need_object(change, at));
    ContentChange one;
    if (json::find(change, "range") != nullptr) {
      TRY(one.range, range_at(change, "range", at));
    }
    TRY(one.text, json::string_at(change, "text", at));
    read.changes.push_back(std::move(one));
  }
  return read;
}

Result<std::string> document_uri(const Json& params) {
  TRY(const Json* document, object_at(params, "textDocument", "params"));
  return json::string_at(*document, "uri", "params.textDocument");
}

Result<FolderChange> folder_change(const Json& params) {
  TRY(const Json* event, object_at(params, "event", "params"));
  FolderChange read;
  TRY(read.added, folder_uris(*event, "added", "params.event"));
  TRY(read.removed, folder_uris(*event, "removed", "params.event"));
  return read;
}

Result<std::optional<std::string>> progress_token(const Json& params, std::string_view key) {
  const Json* token = json::find(params, key);
  if (token == nullptr) return std::optional<std::string>();
  if (!token->is_string() && !token->is_number_integer()) {
    return bad(below("params", key), "a string or an integer");
  }
  return std::optional<std::string>(json::dump(*token));
}

Result<ExecuteCommand> execute_command(const Json& params) {
  TRY_OK(need_object(params, "params"));
  ExecuteCommand read;
  TRY(read.command, json::string_at(params, "command", "params"));
  TRY(read.token, progress_token(params, "workDoneToken"));
  TRY(const Json* arguments, maybe_list(params, "arguments", "params"));
  if (arguments->size() > 1) return bad("params.arguments", "a list of one object");
  if (arguments->empty()) return read;
  const Json& first = arguments->front();
  const bool nothing = first.is_null() || (first.is_array() && first.empty());
  if (!nothing && !first.is_object()) return bad(std::string(kArgumentPath), "an object");
  if (!nothing) read.argument = &first;
  return read;
}

Result<Position> position_at(const Json& object, std::string_view key, std::string_view path) {
  TRY(const Json* found, object_at(object, key, path));
  const std::string at = below(path, key);
  Position position;
  TRY(position.line, unsigned_at(*found, "line", at));
  TRY(position.character, unsigned_at(*found, "character", at));
  return position;
}

Result<Range> range_at(const Json& object, std::string_view key, std::string_view path) {
  TRY(const Json* found, object_at(object, key, path));
  const std::string at = below(path, key);
  Range range;
  TRY(range.start, position_at(*found, "start", at));
  TRY(range.end, position_at(*found, "end", at));
  return range;
}

Json to_json(const Position& position) {
  return Json::object({{"line", position.line}, {"character", position.character}});
}

Json to_json(const Range& range) {
  return Json::object({{"start", to_json(range.start)}, {"end", to_json(range.end)}});
}

Json message_params(MessageType type, std::string_view text) {
  return Json::object({{"type", static_cast<int>(type)}, {"message", text}});
}

Json message_request_params(MessageType type, std::string_view text,
                            const std::vector<std::string>& titles) {
  Json params = message_params(type, text);
  Json actions = Json::array();
  for (const std::string& title : titles) actions.push_back(Json::object({{"title", title}}));
  params["actions"] = std::move(actions);
  return params;
}

std::optional<std::string> chosen_title(const Json& result) {
  const Json* title = json::find(result, "title");
  if (title == nullptr || !title->is_string()) return std::nullopt;
  return title->get<std::string>();
}

}  // namespace brainstorm::lsp
