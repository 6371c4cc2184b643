#pragma once
// The manager's inside, shared by its source files.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "commands/session/activation.h"
#include "commands/session/folder.h"
#include "commands/session/manager.h"
#include "commands/session/mode.h"

namespace brainstorm {

struct SessionManager::Impl {
  Impl(const asio::any_io_executor& run_on, Clock& with_clock, Models& with_models,
       Person& with_person)
      : executor(run_on), clock(with_clock), models(with_models), person(with_person) {}

  /// A session's place: which folder, which id.
  struct Place {
    Folder* folder = nullptr;
    std::string id;
  };

  asio::any_io_executor executor;
  Clock& clock;
  Models& models;
  Person& person;
  std::vector<std::unique_ptr<Folder>> folders;
  std::vector<std::shared_ptr<const Mode>> modes;
  bool attended = true;
  bool closing = false;  // shutdown has begun: nobody is asked any more
  std::map<std::string, std::shared_ptr<Activation>> active;
  std::map<std::string, std::unique_ptr<Store::Watch>> watches;
  std::map<std::string, std::unique_ptr<Background>> errands;  // inbox readers, by session
  std::map<std::string, Error> failures;  // why the last activation here stopped short
  std::set<std::string> busy;             // an answer is being applied

  Folder* folder(const std::string& path);
  Result<Folder*> folder_for_start(const std::string& path);
  Result<std::shared_ptr<const Mode>> known_mode(std::string_view name) const;
  Result<Place> locate(const std::string& session);
  Result<SessionState> load(const Place& place) const;
  SessionPorts ports(Folder& folder);
  /// A session loaded under its lock, ready to be changed.
  Result<std::unique_ptr<Session>> open(const Place& place);
  void activate(std::unique_ptr<Session> session);
  void ended(Activation& activation);
  Activation* running(const std::string& id);
  Task<Result<SessionRef>> settled(Place place);

  // inbox: what other processes ask of sessions that this one works on or waits with
  void watch(const Place& place);
  Task<void> read_inbox(Place place);
  Task<Result<SessionRef>> ask_owner(Place place, std::string message, Json body);

  Task<Result<SessionRef>> apply_decision(Place place, Answer answer);
  Task<Result<SessionRef>> cancel_here(Place place);
};

}  // namespace brainstorm
