#include "server/lsp/server.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "server/lsp/commands.h"
#include "server/lsp/connection.h"
#include "server/lsp/features.h"
#include "server/lsp/lifecycle.h"
#include "server/lsp/parent_watch.h"
#include "server/lsp/stderr_log.h"
#include "server/lsp/watchdog.h"
#include "server/os/clock.h"
#include "server/os/paths.h"

namespace brainstorm {
namespace {

/// An orderly end may take this long; then it ends anyway.
constexpr Millis kEndLimit = std::chrono::seconds(5);
/// A client that does not read may keep the last messages from being written this long.
constexpr Millis kDrainLimit = std::chrono::seconds(1);

Task<Ok> drained(Connection& connection) {
  co_await connection.drain();
  co_return Ok();
}

class Server {
 public:
  Server(asio::io_context& io, Stdio& stdio, AppOptions options);
  void run();
  int exit_code() const { return exit_code_; }
  /// The orderly end took too long.
  bool is_stuck() const { return stuck_; }

 private:
  using RequestHandler = void (Server::*)(const Json& params, Reply reply);
  using NotificationHandler = void (Server::*)(const Json& params);
  struct RequestRow {
    std::string_view method;
    RequestHandler run;
  };
  struct NotificationRow {
    std::string_view method;
    NotificationHandler run;
  };
  static const std::vector<RequestRow>& requests();
  static const std::vector<NotificationRow>& notifications();
  static std::vector<std::string_view> methods();

  void received(Message message);
  void received(Request& request);
  void received(Notification& notification);
  void dispatch(Request& request);

  void initialize(const Json& params, Reply reply);
  void shutdown(const Json& params, Reply reply);
  void execute_command(const Json& params, Reply reply);

  void initialized(const Json& params);
  void exit(const Json& params);
  void cancel_request(const Json& params);
  void set_trace(const Json& params);
  void did_open(const Json& params);
  void did_change(const Json& params);
  void did_close(const Json& params);
  void did_change_folders(const Json& params);
  void did_change_configuration(const Json& params);
  void cancel_progress(const Json& params);

  void make_app(const Json& params);
  void open_first_folders();
  void open_folder(const std::string& name);
  Task<void> change_folders();
  void complain(const Error& error);
  void ignore(std::string_view method, const Error& error);

  void end(int code, const std::string& why);
  void stop_sessions();
  Task<void> stop_work();
  Task<void> finish();
  Task<void> give_up();

  asio::io_context& io_;
  AppOptions options_;  // as the program was called; trust given there stays
  SystemClock clock_;
  Connection connection_;
  Lifecycle lifecycle_;
  Requests requests_;
  Client client_;
  Documents documents_;
  EditorPerson person_;
  std::unique_ptr<App> app_;  // from initialize on
  Jobs jobs_;
  std::optional<Commands> commands_;

  std::vector<std::string> first_folders_;
  std::deque<lsp::FolderChange> folder_changes_;
  bool changing_folders_ = false;
  std::unique_ptr<Json> settings_;  // the client's, as last given
  std::vector<std::string> trusted_;
  bool restricted_ = false;

  std::unique_ptr<ParentWatch> parent_;
  asio::signal_set signals_;
  int exit_code_ = 1;
  bool ending_ = false;
  bool stuck_ = false;
  Signal stopped_;
  std::unique_ptr<Background> stopping_, finishing_, guard_;
};

Server::Server(asio::io_context& io, Stdio& stdio, AppOptions options)
    : io_(io),
      options_(std::move(options)),
      connection_(io.get_executor(), stdio),
      requests_([this](const Json& message) { connection_.send(message); }),
      client_([this](const Json& message, Keep keep, const std::string& key) {
        connection_.send(message, keep, key);
      }),
      person_(io.get_executor(), clock_, client_,
              [this](Answer answer) {
                if (commands_ && !ending_) commands_->decide_from_prompt(std::move(answer));
              }),
      jobs_(io.get_executor()),
      signals_(io, SIGTERM, SIGINT, SIGHUP),
      stopped_(io.get_executor()) {}

void Server::run() {
  connection_.start([this](Message message) { received(std::move(message)); },
                    [this](const std::string& why) { end(1, why); });
  signals_.async_wait([this](const asio::error_code& error, int number) {
    if (!error) end(1, "signal " + std::to_string(number));
  });
}

const std::vector<Server::RequestRow>& Server::requests() {
  static const std::vector<RequestRow> kRows = {
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shutdown},
      {"workspace/executeCommand", &Server::execute_command},
  };
  return kRows;
}

const std::vector<Server::NotificationRow>& Server::notifications() {
  static const std::vector<NotificationRow> kRows = {
      {"initialized", &Server::initialized},
      {"exit", &Server::exit},
      {"$/cancelRequest", &Server::cancel_request},
      {"$/setTrace", &Server::set_trace},
      {"textDocument/didOpen", &Server::did_open},
      {"textDocument/didChange", &Server::did_change},
      {"textDocument/didClose", &Server::did_close},
      {"workspace/didChangeWorkspaceFolders", &Server::did_change_folders},
      {"workspace/didChangeConfiguration", &Server::did_change_configuration},
      {"window/workDoneProgress/cancel", &Server::cancel_progress},
  };
  return kRows;
}

std::vector<std::string_view> Server::methods() {
  std::vector<std::string_view> names;
  for (const RequestRow& row : requests()) names.push_back(row.method);
  for (const NotificationRow& row : notifications()) names.push_back(row.method);
  return names;
}

void Server::received(Message message) {
  if (ending_) return;
  if (auto* request = std::get_if<Request>(&message)) {
    const Turn turn(request->method);
    try {
      received(*request);
    } catch (const std::exception& bug) {  // the Reply has answered -32603
      stderr_log("bug in " + request->method + ": " + bug.what());
    }
  } else if (auto* notification = std::get_if<Notification>(&message)) {
    const Turn turn(notification->method);
    try {
      received(*notification);
    } catch (const std::exception& bug) {
      stderr_log("bug in " + notification->method + ": " + bug.what());
    }
  } else if (const auto* response = std::get_if<Response>(&message)) {
    try {
      client_.answered(*response);
    } catch (const std::exception& bug) {
      stderr_log(std::string("bug in an answer: ") + bug.what());
    }
  }
}

void Server::received(Request& request) {
  switch (lifecycle_.request(request.method)) {
    case Lifecycle::Verdict::not_initialized:
      return requests_.refuse(request.id, rpc::kNotInitialized,
                              "the first request must be initialize");
    case Lifecycle::Verdict::invalid:
      return requests_.refuse(request.id, rpc::kInvalidRequest,
                              lifecycle_.is_shut_down()
                                  ? "the server was shut down; only exit may follow"
                                  : "the server was initialized before");
    case Lifecycle::Verdict::drop:
    case Lifecycle::Verdict::admit:
      break;
  }
  dispatch(request);
}

void Server::dispatch(Request& request) {
  client_.trace_message("request " + request.method);
  for (const RequestRow& row : requests()) {
    if (row.method != request.method) continue;
    auto reply = requests_.open(std::move(request.id));
    if (reply) (this->*row.run)(request.params, *std::move(reply));
    return;
  }
  requests_.refuse(request.id, rpc::kMethodNotFound, "there is no method " + request.method);
}

void Server::received(Notification& notification) {
  if (lifecycle_.notification(notification.method) != Lifecycle::Verdict::admit) return;
  for (const NotificationRow& row : notifications()) {
    if (row.method == notification.method) return (this->*row.run)(notification.params);
  }
}

void Server::initialize(const Json& params, Reply reply) {
  auto read = lsp::initialize_params(params);
  if (!read) return reply.error(read.error());
  client_.features = read->features;
  client_.trace = read->trace;
  first_folders_ = std::move(read->folders);
  make_app(params);
  if (read->process_id) {
    parent_ = ParentWatch::start(io_.get_executor(), *read->process_id,
                                 [this] { end(1, "the editor's process is gone"); });
  }
  lifecycle_.initialized();
  reply.result(initialize_result(methods(), Commands::names(), app_->sessions().modes(),
                                 client_.features.encoding));
}

void Server::make_app(const Json& params) {
  const Json* given = json::find(params, "initializationOptions");
  auto client = arguments::client_settings(given != nullptr ? *given : Json());
  settings_ = std::move(client.settings);
  trusted_ = std::move(client.trusted_folders).value_or(std::vector<std::string>());
  restricted_ = client.restricted.value_or(false);
  AppOptions options;
  options.person_file = options_.person_file;
  options.trusted_folders = options_.trusted_folders;
  options.trusted_folders.insert(options.trusted_folders.end(), trusted_.begin(), trusted_.end());
  options.restricted = options_.restricted || restricted_;
  if (settings_) options.client_settings = std::make_unique<Json>(*settings_);
  options.command_line = std::move(options_.command_line);
  app_ = std::make_unique<App>(io_, person_, std::move(options));
  commands_.emplace(*app_, client_, person_, documents_, jobs_);
}

void Server::shutdown(const Json& /*params*/, Reply reply) {
  lifecycle_.shutdown();
  reply.result(nullptr);
  stop_sessions();
}

void Server::execute_command(const Json& params, Reply reply) {
  // A client that works is ready, whether it said so or not.
  if (!lifecycle_.is_client_ready()) initialized(params);
  commands_->execute(params, std::move(reply));
}

void Server::initialized(const Json& /*params*/) {
  if (lifecycle_.is_client_ready()) return;
  lifecycle_.client_ready();
  client_.ready();
  open_first_folders();
}

void Server::open_first_folders() {
  for (const std::string& folder : std::exchange(first_folders_, {})) open_folder(folder);
  const auto problem = app_->settings_problem();
  const std::size_t limit =
      static_cast<std::size_t>(app_->settings("").engine.limits.message_bytes);
  connection_.limit_bodies(limit);
  person_.tell_status(problem ? std::string() : problem.error().message);
}

void Server::open_folder(const std::string& name) {
  const auto path = arguments::folder_path(name, "workspaceFolders");
  if (!path) return complain(path.error());
  const auto opened = app_->open_folder(*path);
  if (!opened) complain(opened.error());
}

void Server::complain(const Error& error) {
  person_.notify(Person::Level::error, error.message + " " + error.hint);
  stderr_log(error.message);
}

void Server::exit(const Json& /*params*/) { end(lifecycle_.exit_code(), ""); }

void Server::cancel_request(const Json& params) {
  const Json* id = json::find(params, "id");
  const auto named = id == nullptr ? std::nullopt : id_from_json(*id);
  if (named) requests_.cancel(*named);
}

void Server::set_trace(const Json& params) {
  client_.trace = lsp::trace_from(json::text_or(params, "value"));
}

void Server::ignore(std::string_view method, const Error& error) {
  stderr_log(std::string(method) + " was ignored: " + error.message);
}

void Server::did_open(const Json& params) {
  auto document = lsp::opened_document(params);
  if (!document) return ignore("textDocument/didOpen", document.error());
  documents_.open(*std::move(document));
}

void Server::did_change(const Json& params) {
  const auto change = lsp::document_change(params);
  if (!change) return ignore("textDocument/didChange", change.error());
  documents_.change(*change, client_.features.encoding);
}

void Server::did_close(const Json& params) {
  const auto uri = lsp::document_uri(params);
  if (!uri) return ignore("textDocument/didClose", uri.error());
  documents_.close(*uri);
}

void Server::did_change_folders(const Json& params) {
  auto change = lsp::folder_change(params);
  if (!change) return ignore("workspace/didChangeWorkspaceFolders", change.error());
  folder_changes_.push_back(*std::move(change));
  if (changing_folders_) return;
  changing_folders_ = true;
  jobs_.spawn(change_folders());
}

/// In the order they came: a folder may be removed and added again.
Task<void> Server::change_folders() {
  while (!folder_changes_.empty()) {
    const lsp::FolderChange change = std::move(folder_changes_.front());
    folder_changes_.pop_front();
    for (const std::string& uri : change.removed) {
      const auto path = arguments::folder_path(uri, "params.event.removed");
      if (!path) continue;
      std::string folder = *path;
      co_await app_->close_folder(std::move(folder));
    }
    for (const std::string& uri : change.added) open_folder(uri);
  }
  changing_folders_ = false;
}

void Server::did_change_configuration(const Json& params) {
  const Json* given = json::find(params, "settings");
  if (given != nullptr) {
    auto client = arguments::client_settings(*given);
    settings_ = std::move(client.settings);
    if (client.trusted_folders) trusted_ = *std::move(client.trusted_folders);
    if (client.restricted) restricted_ = *client.restricted;
  }
  auto trusted = options_.trusted_folders;
  trusted.insert(trusted.end(), trusted_.begin(), trusted_.end());
  auto settings = settings_ ? std::make_unique<Json>(*settings_) : nullptr;
  const auto loaded =
      app_->reload(std::move(settings), std::move(trusted), options_.restricted || restricted_);
  if (!loaded) complain(loaded.error());
  person_.tell_status(loaded ? std::string() : loaded.error().message);
}

void Server::cancel_progress(const Json& params) {
  const auto token = lsp::progress_token(params, "token");
  if (!token || !*token) return;
  if (const auto session = person_.session_of(**token)) commands_->cancel_session(*session);
}

/// Every end goes through here, and the first reason counts.
void Server::end(int code, const std::string& why) {
  if (std::exchange(ending_, true)) return;
  exit_code_ = code;
  if (!why.empty()) stderr_log("ending: " + why);
  connection_.stop_reading();
  signals_.cancel();
  parent_.reset();
  stop_sessions();
  finishing_ = std::make_unique<Background>(io_.get_executor(), finish(), nullptr);
  guard_ = std::make_unique<Background>(io_.get_executor(), give_up(), nullptr);
}

void Server::stop_sessions() {
  if (stopping_) return;
  stopping_ =
      std::make_unique<Background>(io_.get_executor(), stop_work(),
                                   [this](Background::End, const std::string&) { stopped_.set(); });
}

Task<void> Server::stop_work() {
  if (app_) co_await app_->sessions().shutdown();
  co_await jobs_.stop();
}

Task<void> Server::finish() {
  co_await stopped_.wait();
  auto draining = drained(connection_);
  co_await with_timeout(clock_, kDrainLimit, std::move(draining));
  io_.stop();
}

Task<void> Server::give_up() {
  const Millis limit = kEndLimit;
  co_await clock_.sleep(limit);
  stuck_ = true;
  io_.stop();
}

}  // namespace

int run_language_server(AppOptions options) {
  asio::io_context io(1);
  auto stdio = Stdio::open(io.get_executor());
  if (!stdio) {
    stderr_log(stdio.error().message);
    return 1;
  }
  auto server = std::make_unique<Server>(io, **stdio, std::move(options));
  server->run();
  run_watched(io);
  const int code = server->exit_code();
  if (server->is_stuck()) {
    stderr_log("the work did not stop in time");
    stdio->reset();
    std::_Exit(code);  // what still runs refers to what would be torn down
  }
  server.reset();
  return code;
}

}  // namespace brainstorm
