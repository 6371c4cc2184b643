#pragma once
// The part of the Language Server Protocol that we speak, as values. Reading is strict where a
// value is needed (invalid_argument with the path in data["field"]) and accepts every `null` of the
// protocol; a capability of an odd type counts as not declared.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json.h"
#include "protocol/result.h"

namespace brainstorm::lsp {

/// The unit of a column.
enum class Encoding { utf8, utf16 };
std::string_view to_string(Encoding encoding);

struct Position {
  int line = 0;       // 0-based
  int character = 0;  // 0-based, in units of the negotiated Encoding
  bool operator==(const Position&) const = default;
};

/// Half open.
struct Range {
  Position start;
  Position end;
  bool operator==(const Range&) const = default;
};

/// What the client declared. Everything is off until then.
struct ClientFeatures {
  Encoding encoding = Encoding::utf16;  // utf-8 only when offered
  bool work_done_progress = false;      // window.workDoneProgress
  bool message_request = false;         // window.showMessage
  bool show_document = false;           // window.showDocument.support
  bool server_status = false;           // experimental.serverStatusNotification
  bool input = false;                   // experimental.brainstorm.input
  bool session = false;                 // experimental.brainstorm.session
  bool delta = false;                   // experimental.brainstorm.delta
};
/// `capabilities` may be null or of any shape.
ClientFeatures client_features(const Json& capabilities);

enum class Trace { off, messages, verbose };
Trace trace_from(std::string_view value);

struct InitializeParams {
  std::optional<std::int64_t> process_id;
  std::vector<std::string> folders;  // URIs or absolute paths: workspaceFolders, rootUri, rootPath
  ClientFeatures features;
  Trace trace = Trace::off;
};
Result<InitializeParams> initialize_params(const Json& params);

struct OpenedDocument {
  std::string uri;
  std::string text;
};
Result<OpenedDocument> opened_document(const Json& params);

struct ContentChange {
  std::optional<Range> range;  // unset: the whole text
  std::string text;
};
struct DocumentChange {
  std::string uri;
  std::vector<ContentChange> changes;
};
Result<DocumentChange> document_change(const Json& params);

/// params.textDocument.uri.
Result<std::string> document_uri(const Json& params);

struct FolderChange {
  std::vector<std::string> added;  // URIs
  std::vector<std::string> removed;
};
Result<FolderChange> folder_change(const Json& params);

/// A progress token as it came: a string or an integer.
Result<std::optional<std::string>> progress_token(const Json& params, std::string_view key);

struct ExecuteCommand {
  std::string command;
  const Json* argument = nullptr;    // the one argument object, inside `params`; null: none given
  std::optional<std::string> token;  // workDoneToken, as JSON text
};
/// A missing, null or empty list of arguments is none; `[]` is accepted for an empty object.
Result<ExecuteCommand> execute_command(const Json& params);
/// How errors name the argument object.
inline constexpr std::string_view kArgumentPath = "params.arguments[0]";

Result<Position> position_at(const Json& object, std::string_view key, std::string_view path);
Result<Range> range_at(const Json& object, std::string_view key, std::string_view path);
Json to_json(const Position& position);
Json to_json(const Range& range);

enum class MessageType { error = 1, warning = 2, info = 3, log = 4 };
/// Of window/showMessage and window/logMessage.
Json message_params(MessageType type, std::string_view text);
/// Of window/showMessageRequest.
Json message_request_params(MessageType type, std::string_view text,
                            const std::vector<std::string>& titles);
/// The chosen title; nullopt when the dialog was dismissed or the answer has no sense.
std::optional<std::string> chosen_title(const Json& result);

}  // namespace brainstorm::lsp
