#include "server/store/inbox.h"

#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

namespace brainstorm {
namespace {

constexpr std::size_t kMaxMessage = std::size_t{256} << 10;
const std::string kMessage = ".json";
const std::string kOutcome = ".outcome.json";

/// Dots are kept for our endings.
bool is_message_id(const std::string& id) {
  return !id.empty() && id.size() <= 100 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

std::unique_ptr<Json> read_message(int directory, const std::string& name) {
  auto bytes = files::read_file(directory, name, kMaxMessage, name);
  if (!bytes) return std::make_unique<Json>();
  auto parsed = json::parse(*bytes);
  return parsed ? std::make_unique<Json>(*std::move(parsed)) : std::make_unique<Json>();
}

struct Arrival {
  timespec at{};
  std::string id;
};

bool earlier(const Arrival& left, const Arrival& right) {
  return std::tie(left.at.tv_sec, left.at.tv_nsec, left.id) <
         std::tie(right.at.tv_sec, right.at.tv_nsec, right.id);
}

std::vector<Arrival> arrivals(int directory) {
  std::vector<Arrival> result;
  for (const files::Entry& entry : files::entries(directory)) {
    const std::string_view name = entry.name;
    if (entry.kind != files::Kind::file || name.size() <= kMessage.size() ||
        name.substr(name.size() - kMessage.size()) != kMessage) {
      continue;
    }
    Arrival arrival;
    arrival.id = std::string(name.substr(0, name.size() - kMessage.size()));
    if (!is_message_id(arrival.id) || files::is_regular(directory, arrival.id + kOutcome)) continue;
    struct stat info {};
    if (::fstatat(directory, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    arrival.at = info.st_mtim;
    result.push_back(std::move(arrival));
  }
  std::sort(result.begin(), result.end(), earlier);
  return result;
}

}  // namespace

Result<Descriptor> Inbox::open(const std::string& session) const {
  TRY(Descriptor directory, tree_.session(session));
  return files::open_directory(directory.get(), kInboxName, tree_.path(session, kInboxName));
}

Ok Inbox::create(const std::string& session, const std::string& id, const std::string& ending,
                 const Json& body) {
  if (!is_message_id(id)) {
    return Error{ErrorCode::invalid_argument,
                 "not a message id: " + json::dump(Json(id)),
                 "Use letters, digits, '-' and '_' only.",
                 {}};
  }
  const std::string bytes = json::dump(body) + "\n";
  if (bytes.size() > kMaxMessage) {
    return Error{ErrorCode::too_large, "the answer is larger than 256 KiB", "Shorten it.", {}};
  }
  const std::string shown = tree_.path(session, kInboxName);
  TRY(Descriptor directory, tree_.session(session));
  TRY(Descriptor inbox, files::make_directory(directory.get(), kInboxName, shown));
  return files::create_whole(inbox.get(), id + ending, bytes, clock_.random(),
                             shown + "/" + id + ending);
}

Ok Inbox::post(const std::string& session, const std::string& id, const Json& body) {
  return create(session, id, kMessage, body);
}

Ok Inbox::settle(const std::string& session, const std::string& id, const Json& outcome) {
  return create(session, id, kOutcome, outcome);
}

std::vector<std::pair<std::string, std::unique_ptr<Json>>> Inbox::unhandled(
    const std::string& session) {
  std::vector<std::pair<std::string, std::unique_ptr<Json>>> result;
  auto directory = open(session);
  if (!directory) return result;
  for (const Arrival& arrival : arrivals(directory->get())) {
    result.emplace_back(arrival.id, read_message(directory->get(), arrival.id + kMessage));
  }
  return result;
}

std::unique_ptr<Json> Inbox::outcome(const std::string& session, const std::string& id) {
  if (!is_message_id(id)) return nullptr;
  auto directory = open(session);
  if (!directory || !files::is_regular(directory->get(), id + kOutcome)) return nullptr;
  return read_message(directory->get(), id + kOutcome);
}

Result<Descriptor> Inbox::hold(const std::string& session) {
  const std::string shown = tree_.path(session, kInboxName);
  TRY(Descriptor directory, tree_.session(session));
  TRY(Descriptor inbox, files::make_directory(directory.get(), kInboxName, shown));
  // Whoever asks is_held() has it exclusively for some microseconds. Without the lock in the end,
  // others merely do not know that we wait and act themselves.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    if (::flock(inbox.get(), LOCK_SH | LOCK_NB) == 0) break;
    ::sched_yield();
  }
  return inbox;
}

bool Inbox::is_held(const std::string& session) {
  auto directory = open(session);
  return directory && ::flock(directory->get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace brainstorm
