#include "commands/session/manager.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/session/manager_impl.h"
#include "commands/session/saved_settings.h"
#include "commands/session/view.h"

namespace brainstorm {
namespace {

constexpr std::size_t kAll = static_cast<std::size_t>(-1);

Error not_found(const std::string& session) {
  return {ErrorCode::session_not_found,
          "there is no session \"" + session + "\" in this workspace",
          "List them with `brainstorm-ls sessions --all`.",
          {{"session", session}}};
}

}  // namespace

SessionManager::SessionManager(const asio::any_io_executor& executor, Clock& clock, Models& models,
                               Person& person)
    : impl_(std::make_unique<Impl>(executor, clock, models, person)) {}

SessionManager::~SessionManager() {
  for (auto& [id, activation] : impl_->active) activation->abandon();
}

Folder* SessionManager::Impl::folder(const std::string& path) {
  for (auto& folder : folders) {
    if (folder->path == path) return folder.get();
  }
  return nullptr;
}

Result<Folder*> SessionManager::Impl::folder_for_start(const std::string& path) {
  if (!path.empty()) {
    if (Folder* found = folder(path)) return found;
    return Error{ErrorCode::folder_missing,
                 path + " is not an open workspace folder",
                 "Open it in the editor, or name one that is open.",
                 {{"field", "folder"}}};
  }
  if (folders.size() == 1) return folders.front().get();
  if (folders.empty()) {
    return Error{ErrorCode::folder_missing,
                 "no workspace folder is open, so there is no place for the session's files",
                 "Open a folder, or give one with --folder.",
                 {{"field", "folder"}}};
  }
  return Error{ErrorCode::folder_ambiguous,
               "several workspace folders are open",
               "Name one of them in `folder`.",
               {{"field", "folder"}}};
}

Result<std::shared_ptr<const Mode>> SessionManager::Impl::known_mode(std::string_view name) const {
  for (const auto& mode : modes) {
    if (mode->name() == name) return mode;
  }
  std::string names;
  for (const auto& known : modes) names += (names.empty() ? "" : ", ") + std::string(known->name());
  return Error{ErrorCode::invalid_argument,
               "this build has no mode \"" + std::string(name) + "\"",
               "Modes: " + names + ".",
               {{"field", "mode"}}};
}

Result<SessionManager::Impl::Place> SessionManager::Impl::locate(const std::string& session) {
  for (auto& folder : folders) {
    if (session != "last" && folder->store->exists(session)) return Place{folder.get(), session};
  }
  std::vector<Place> found;
  std::string newest;
  for (auto& folder : folders) {
    auto listing = folder->store->list(session == "last" ? 1 : kAll);
    if (!listing) return listing.error();
    if (session == "last") {
      if (listing->sessions.empty() || listing->sessions.front().created_at <= newest) continue;
      newest = listing->sessions.front().created_at;
      found = {Place{folder.get(), listing->sessions.front().id}};
      continue;
    }
    for (auto& id : matching_sessions(listing->sessions, session)) {
      found.push_back(Place{folder.get(), id});
    }
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) return not_found(session);
  return Error{ErrorCode::session_ambiguous,
               "\"" + session + "\" fits " + std::to_string(found.size()) +
                   " sessions, among them " + found[0].id + " and " + found[1].id,
               "Give more of the id.",
               {{"session", session}}};
}

Result<SessionState> SessionManager::Impl::load(const Place& place) const {
  auto read = place.folder->store->read_state(place.id);
  if (!read) return read.error();
  TRY(SessionState state, session_state_from_json(*read->json));
  if (read->from_backup) {
    state.warnings.push_back(
        "workflow-state.yaml could not be parsed; its backup workflow-state.yaml.bak was used.");
  }
  return state;
}

SessionPorts SessionManager::Impl::ports(Folder& folder) {
  return {clock, models, person, *folder.store, *folder.workspace, folder.path};
}

Result<std::unique_ptr<Session>> SessionManager::Impl::open(const Place& place) {
  if (place.folder->settings->restricted) {
    return Error{ErrorCode::restricted,
                 "this workspace is restricted: artefacts can be read, nothing starts",
                 "Trust the workspace in the editor first.",
                 {}};
  }
  auto lock = place.folder->store->lock(place.id);
  if (!lock) return lock.error();
  TRY(SessionState state, load(place));
  TRY(auto session_mode, known_mode(state.mode));
  Settings settings =
      restored_settings(*place.folder->settings, json::find(*state.document, "settings"));
  auto session = std::make_unique<Session>(executor, ports(*place.folder), std::move(session_mode),
                                           std::move(settings), std::move(state), *std::move(lock));
  session->attended = attended;
  return session;
}

Activation* SessionManager::Impl::running(const std::string& id) {
  const auto found = active.find(id);
  return found == active.end() ? nullptr : found->second.get();
}

void SessionManager::Impl::activate(std::unique_ptr<Session> session) {
  const std::string id = session->id();
  failures.erase(id);
  watch({folder(session->ports.folder), id});
  auto activation = std::make_shared<Activation>(executor, std::move(session));
  active[id] = activation;
  activation->run([this](Activation& done) { ended(done); });
}

void SessionManager::Impl::ended(Activation& activation) {
  Session& session = activation.session();
  const std::string id = session.id();
  if (activation.error()) failures[id] = *activation.error();
  active.erase(id);
  if (is_end_state(session.state.current_state)) {
    watches.erase(id);
  } else if (!closing) {
    for (const Decision& decision : session.state.pending_decisions) person.ask(id, decision);
  }
}

void SessionManager::add_folder(const std::string& path, Store& store, Workspace& workspace,
                                const Settings& settings) {
  auto folder = std::make_unique<Folder>();
  *folder = {path, &store, &workspace, &settings};
  impl_->folders.push_back(std::move(folder));
}

Task<void> SessionManager::remove_folder(std::string path) {
  std::vector<std::shared_ptr<Activation>> leaving;
  for (auto& [id, activation] : impl_->active) {
    if (activation->session().ports.folder == path) leaving.push_back(activation);
  }
  for (auto& activation : leaving) {
    impl_->watches.erase(activation->session().id());
    activation->stop();
  }
  for (auto& activation : leaving) co_await activation->ended().wait();
  std::erase_if(impl_->folders, [&](const auto& folder) { return folder->path == path; });
}

void SessionManager::add_mode(std::unique_ptr<Mode> mode) {
  impl_->modes.push_back(std::move(mode));
}

std::vector<std::string> SessionManager::modes() const {
  std::vector<std::string> names;
  for (const auto& mode : impl_->modes) names.emplace_back(mode->name());
  return names;
}

void SessionManager::set_attended(bool attended) { impl_->attended = attended; }

Result<std::vector<SessionSummary>> SessionManager::list(const SessionFilter& filter) {
  std::vector<SessionSummary> found;
  const bool any = filter.state.empty() && filter.mode.empty();
  for (auto& folder : impl_->folders) {
    if (!filter.folder.empty() && folder->path != filter.folder) continue;
    auto listing = folder->store->list(any ? filter.limit : kAll);
    if (!listing) return listing.error();
    for (const SessionHead& head : listing->sessions) {
      if (!filter.state.empty() && head.state != filter.state) continue;
      if (!filter.mode.empty() && head.mode != filter.mode) continue;
      SessionSummary summary{head.id,      head.mode,       head.question,
                             head.state,   head.created_at, head.updated_at,
                             folder->path, false,           {}};
      summary.resumable = head.state != states::kCompleted && head.state != states::kAwaitingUser &&
                          !head.has_pending && impl_->running(head.id) == nullptr;
      if (head.has_pending) {
        if (auto state = impl_->load({folder.get(), head.id})) {
          summary.pending_decisions = state->pending_decisions;
        }
      }
      found.push_back(std::move(summary));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.started > b.started; });
  if (found.size() > filter.limit) found.resize(filter.limit);
  return found;
}

Result<Snapshot> SessionManager::snapshot(const std::string& session) {
  TRY(const Impl::Place place, impl_->locate(session));
  if (Activation* activation = impl_->running(place.id)) return activation->session().snapshot();
  TRY(const SessionState state, impl_->load(place));
  TRY(const auto mode, impl_->known_mode(state.mode));
  return picture(state, *mode, *place.folder->store, place.folder->path);
}

Result<std::string> SessionManager::artefact(const std::string& session, const std::string& what,
                                             const std::string& agent) {
  static const std::map<std::string, std::string> kNames = {
      {"synthesis", "stage-3-synthesis.md"},
      {"board", "board.md"},
      {"log", "log.jsonl"},
      {"framing", "stage-1-framing.yaml"},
      {"context", "context.md"},
      {"state", "workflow-state.yaml"},
      {"workflows", "available-workflows.yaml"}};
  TRY(const Impl::Place place, impl_->locate(session));
  std::string name;
  if (what == "perspective") {
    if (agent.empty() || agent.find('/') != std::string::npos) {
      return Error{ErrorCode::invalid_argument,
                   "a perspective needs the name of its agent",
                   "Give it in `agent`, e.g. critic.",
                   {{"field", "agent"}}};
    }
    name = "perspectives/" + agent + ".md";
  } else if (const auto known = kNames.find(what); known != kNames.end()) {
    name = known->second;
  } else {
    return Error{ErrorCode::invalid_argument,
                 "\"" + what + "\" is nothing that a session has",
                 "One of: synthesis, board, perspective, framing, context, log, state, workflows.",
                 {{"field", "what"}}};
  }
  Store& store = *place.folder->store;
  if (store.has(place.id, name)) return store.path(place.id, name);
  std::string present;
  for (const std::string& file : store.files(place.id))
    present += (present.empty() ? "" : ", ") + file;
  return Error{ErrorCode::not_found,
               "session " + place.id + " has no " + name + " yet",
               "It has: " + (present.empty() ? std::string("nothing") : present) + ".",
               {{"session", place.id}}};
}

Result<std::string> SessionManager::explain(const std::string& session) {
  TRY(const Impl::Place place, impl_->locate(session));
  TRY(const SessionState state, impl_->load(place));
  TRY(const auto mode, impl_->known_mode(state.mode));
  return explain_state(state, *mode);
}

Result<std::string> SessionManager::find(const std::string& session) {
  TRY(const Impl::Place place, impl_->locate(session));
  return place.id;
}

Task<void> SessionManager::shutdown() {
  impl_->closing = true;
  impl_->watches.clear();
  impl_->errands.clear();
  std::vector<std::shared_ptr<Activation>> leaving;
  for (auto& [id, activation] : impl_->active) leaving.push_back(activation);
  for (auto& activation : leaving) activation->stop();
  for (auto& activation : leaving) co_await activation->ended().wait();
}

std::size_t SessionManager::running() const { return impl_->active.size(); }

}  // namespace brainstorm
