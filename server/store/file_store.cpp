#include "server/store/file_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>

#include "commands/task.h"
#include "server/os/watch.h"
#include "server/store/front_matter.h"
#include "server/store/inbox.h"
#include "server/store/listing.h"
#include "server/store/lock.h"
#include "server/store/tree.h"
#include "server/store/writer.h"
#include "server/store/yaml.h"

namespace brainstorm {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr int kMaxFiles = 2000;
/// A leftover younger than this may belong to a process that still works on it.
constexpr auto kLeftoverAge = std::chrono::minutes(1);

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

Result<std::string> render(const std::string& name, const DocumentView& document) {
  std::string bytes;
  if (ends_with(name, ".yaml")) {
    bytes = write_yaml(document.front, document.leading);
  } else if (ends_with(name, ".md")) {
    bytes = compose_front_matter(document.front, document.leading, document.body);
  } else if (ends_with(name, ".json")) {
    bytes = json::pretty(document.front) + "\n";
  } else {
    bytes = std::string(document.body);
  }
  // What could not be read again must not be written.
  const std::size_t head = bytes.size() - (ends_with(name, ".md") ? document.body.size() : 0);
  const bool yaml = ends_with(name, ".yaml") || ends_with(name, ".md");
  if (bytes.size() > files::kMaxFile || (yaml && head > kMaxYamlBytes)) {
    return Error{ErrorCode::too_large,
                 name + " would be too large to be read again",
                 "Use a shorter question or less context.",
                 {{"name", name}}};
  }
  return bytes;
}

/// Removes what a killed process left in a directory of ours.
void sweep(int directory, bool everything, Clock& clock) {
  for (const files::Entry& entry : files::entries(directory)) {
    if (entry.kind != files::Kind::file || !files::is_temporary(entry.name)) continue;
    struct stat info {};
    if (::fstatat(directory, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const WallTime changed(std::chrono::seconds(info.st_mtim.tv_sec));
    if (everything || clock.wall() - changed > kLeftoverAge) {
      ::unlinkat(directory, entry.name.c_str(), 0);
    }
  }
}

/// All of a session: what its lock allows us to remove, and its inbox, where others write too.
void sweep_session(int session, Clock& clock) {
  sweep(session, true, clock);
  for (const files::Entry& entry : files::entries(session)) {
    if (entry.kind != files::Kind::directory) continue;
    auto inner = files::open_directory(session, entry.name, entry.name);
    if (inner) sweep(inner->get(), entry.name != kInboxName, clock);
  }
}

void remove_directory(int parent, const std::string& name) {
  {
    auto directory = files::open_directory(parent, name, name);
    if (!directory) return;
    for (const files::Entry& entry : files::entries(directory->get())) {
      ::unlinkat(directory->get(), entry.name.c_str(), 0);
    }
  }
  ::unlinkat(parent, name.c_str(), AT_REMOVEDIR);
}

/// Session directories that were never finished, and old temporary files beside them.
void sweep_root(int root, Clock& clock) {
  sweep(root, false, clock);
  for (const files::Entry& entry : files::entries(root)) {
    if (entry.kind != files::Kind::directory || entry.name.rfind(kUnfinished, 0) != 0) continue;
    struct stat info {};
    if (::fstatat(root, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (clock.wall() - WallTime(std::chrono::seconds(info.st_mtim.tv_sec)) < kLeftoverAge) continue;
    auto directory = files::open_directory(root, entry.name, entry.name);
    if (directory && is_unlocked(directory->get())) remove_directory(root, entry.name);
  }
}

/// A directory that goes again unless it was finished.
class UnfinishedDirectory {
 public:
  UnfinishedDirectory(int root, std::string name) : root_(root), name_(std::move(name)) {}
  ~UnfinishedDirectory() {
    if (root_ >= 0) remove_directory(root_, name_);
  }
  UnfinishedDirectory(const UnfinishedDirectory&) = delete;
  UnfinishedDirectory& operator=(const UnfinishedDirectory&) = delete;
  void keep() { root_ = -1; }
  const std::string& name() const { return name_; }

 private:
  int root_;
  std::string name_;
};

void collect_files(int directory, const std::string& prefix, int depth,
                   std::vector<std::string>& names) {
  for (const files::Entry& entry : files::entries(directory)) {
    if (names.size() >= kMaxFiles || entry.name[0] == '.') continue;
    if (!files::is_safe_component(entry.name)) continue;
    if (entry.kind == files::Kind::directory && depth < 4) {
      if (prefix.empty() && entry.name == kInboxName) continue;
      auto inner = files::open_directory(directory, entry.name, entry.name);
      if (inner) collect_files(inner->get(), prefix + entry.name + "/", depth + 1, names);
    } else if (entry.kind == files::Kind::file && entry.name != kBackupName &&
               !files::is_temporary(entry.name)) {
      names.push_back(prefix + entry.name);
    }
  }
}

Error broken_state(const std::string& session, const Error& reason) {
  Error error{ErrorCode::session_broken,
              "the state of session " + session + " cannot be read: " + reason.message,
              "Correct workflow-state.yaml by hand, or archive the session.", reason.data};
  error.data["session"] = session;
  return error;
}

Ok check_schema(const std::string& session, const Json& state) {
  const std::int64_t schema = json::integer_or(state, "schema", kSchema);
  if (schema <= kSchema) return {};
  return Error{ErrorCode::session_newer,
               "session " + session + " was written by a newer version (schema " +
                   std::to_string(schema) + ")",
               "Update brainstorm-ls to work on it; its files can be read as they are.",
               {{"session", session}, {"schema", std::to_string(schema)}}};
}

}  // namespace

struct FileStore::Impl {
  Impl(const asio::any_io_executor& executor, Clock& with_clock, SyncThread& with_sync,
       std::string folder)
      : clock(with_clock),
        sync(with_sync),
        tree(std::move(folder)),
        writer(executor, with_clock, with_sync),
        inbox(tree, with_clock),
        watcher(executor) {}

  Clock& clock;
  SyncThread& sync;
  Tree tree;
  Writer writer;
  Inbox inbox;
  DirectoryWatcher watcher;
  std::set<std::string> held;        // sessions whose lock this store gave out
  std::set<std::string> logs_ahead;  // sessions whose log has lines that were not synced
};

namespace {

/// What FileStore::lock and create give out. It may outlive the store.
class HeldLock : public SessionLock {
 public:
  HeldLock(std::shared_ptr<FileStore::Impl> store, std::string session, Descriptor lock)
      : store_(std::move(store)), session_(std::move(session)), lock_(std::move(lock)) {
    store_->held.insert(session_);
  }
  ~HeldLock() override {
    release_lock(lock_.get());
    store_->held.erase(session_);
  }
  bool still_ours() const override {
    auto directory = store_->tree.session(session_);
    return directory && is_lock_of(directory->get(), lock_.get());
  }
  void heartbeat() override { renew_lock(lock_.get(), session_, store_->clock); }

 private:
  std::shared_ptr<FileStore::Impl> store_;
  std::string session_;
  Descriptor lock_;
};

Task<Result<std::unique_ptr<SessionLock>>> build(std::shared_ptr<FileStore::Impl> store,
                                                 std::string session, std::string bytes) {
  CO_TRY(Descriptor root, store->tree.make_root(store->clock.random()));
  sweep_root(root.get(), store->clock);
  UnfinishedDirectory unfinished(root.get(), kUnfinished + session);
  const std::string shown = store->tree.path(session);
  CO_TRY(Descriptor directory, files::make_directory(root.get(), unfinished.name(), shown));
  CO_TRY(Descriptor lock, take_lock(directory.get(), session, shown, store->clock));
  auto opened = files::open_file(directory.get(), kStateName, O_WRONLY | O_CREAT | O_EXCL, shown);
  CO_TRY(Descriptor state, std::move(opened));
  CO_TRY_OK(files::write_all(state.get(), bytes, shown));
  int error = co_await store->sync.sync(state.get());
  if (error == 0) error = co_await store->sync.sync(directory.get());
  if (error == 0) error = files::rename_new(root.get(), unfinished.name(), root.get(), session);
  if (error != 0) co_return os_error(error, "create", shown);
  unfinished.keep();
  error = co_await store->sync.sync(root.get());
  if (error != 0 && error != EINVAL) co_return os_error(error, "write to the disk", shown);
  co_return std::unique_ptr<SessionLock>(
      std::make_unique<HeldLock>(store, session, std::move(lock)));
}

}  // namespace

FileStore::FileStore(const asio::any_io_executor& executor, Clock& clock, SyncThread& sync,
                     std::string folder)
    : impl_(std::make_shared<Impl>(executor, clock, sync, std::move(folder))) {}

FileStore::~FileStore() = default;

Result<Store::Listing> FileStore::list(std::size_t limit) {
  return list_sessions(impl_->tree, limit);
}

bool FileStore::exists(const std::string& session) {
  auto directory = impl_->tree.session(session);
  return directory && has_state(directory->get());
}

Task<Result<std::unique_ptr<SessionLock>>> FileStore::create(std::string session,
                                                             DocumentView state) {
  auto store = impl_;
  CO_TRY(std::string bytes, render(kStateName, state));
  auto there = store->tree.session(session);
  if (!there && there.error().code != ErrorCode::session_not_found) co_return there.error();
  if (there || !files::is_safe_component(session) || session[0] == '.' || session == kArchiveName) {
    co_return Error{ErrorCode::invalid_argument,
                    "a session cannot be named " + session,
                    "Choose an id that is not taken.",
                    {}};
  }
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  auto result = co_await build(store, std::move(session), std::move(bytes));
  co_await asio::this_coro::throw_if_cancelled(throws);
  co_return std::move(result);
}

Result<std::unique_ptr<SessionLock>> FileStore::lock(const std::string& session) {
  TRY(Descriptor directory, impl_->tree.session(session));
  TRY(Descriptor lock,
      take_lock(directory.get(), session, impl_->tree.path(session), impl_->clock));
  sweep_session(directory.get(), impl_->clock);
  return std::unique_ptr<SessionLock>(std::make_unique<HeldLock>(impl_, session, std::move(lock)));
}

Result<Store::State> FileStore::read_state(const std::string& session) {
  TRY(Descriptor directory, impl_->tree.session(session));
  if (!has_state(directory.get())) return session_not_found(session);
  std::optional<Error> first;
  for (const std::string& name : {kStateName, kBackupName}) {
    auto bytes =
        files::read_file(directory.get(), name, kMaxYamlBytes, impl_->tree.path(session, name));
    if (!bytes) {
      if (!first) first = bytes.error();
      continue;
    }
    auto parsed = read_yaml(*bytes, name);
    if (parsed && parsed->is_object() && json::find(*parsed, "workflow_id") != nullptr) {
      TRY_OK(check_schema(session, *parsed));
      return State{std::make_unique<Json>(*std::move(parsed)), name == kBackupName};
    }
    const Error incomplete{ErrorCode::parse_error, name + " is no session state", "", {}};
    if (!first) first = parsed ? incomplete : parsed.error();
  }
  return broken_state(session, *first);
}

Task<Result<void>> FileStore::write_state(std::string session, DocumentView state,
                                          Durability durability) {
  auto store = impl_;
  CO_TRY(std::string bytes, render(kStateName, state));
  CO_TRY(Tree::Place place, store->tree.place(session, kStateName, false));
  auto written = co_await store->writer.write(std::move(place), std::move(bytes), durability, true);
  CO_TRY_OK(std::move(written));
  if (durability == Durability::lazy || store->logs_ahead.erase(session) == 0) co_return Ok();
  CO_TRY(Tree::Place log, store->tree.place(session, kLogName, false));
  auto synced = co_await store->writer.sync_file(std::move(log));
  co_return synced;
}

Task<Result<void>> FileStore::put(std::string session, std::string name, DocumentView document,
                                  Durability durability) {
  auto store = impl_;
  CO_TRY(std::string bytes, render(name, document));
  CO_TRY(Tree::Place place, store->tree.place(session, name, true));
  auto written =
      co_await store->writer.write(std::move(place), std::move(bytes), durability, false);
  co_return written;
}

Result<Store::Document> FileStore::read(const std::string& session, const std::string& name) {
  TRY(Tree::Place place, impl_->tree.place(session, name, false));
  TRY(std::string bytes,
      files::read_file(place.directory.get(), place.leaf, files::kMaxFile, place.shown));
  Document document{std::make_unique<Json>(), {}, 0};
  if (ends_with(name, ".yaml")) {
    TRY(*document.front, read_yaml(bytes, name));
  } else if (ends_with(name, ".json")) {
    TRY(*document.front, json::parse(bytes));
  } else if (ends_with(name, ".md")) {
    TRY(FrontMatter parts, split_front_matter(bytes, name));
    document.front = std::move(parts.front);
    document.body = std::move(parts.body);
    document.body_line = parts.body_line;
  } else {
    document.body = std::move(bytes);
  }
  return document;
}

bool FileStore::has(const std::string& session, const std::string& name) {
  auto place = impl_->tree.place(session, name, false);
  return place && files::is_regular(place->directory.get(), place->leaf);
}

std::vector<std::string> FileStore::files(const std::string& session) {
  std::vector<std::string> names;
  auto directory = impl_->tree.session(session);
  if (directory) collect_files(directory->get(), "", 0, names);
  std::sort(names.begin(), names.end());
  return names;
}

Ok FileStore::append_log(const std::string& session, const Json& event) {
  TRY(Tree::Place place, impl_->tree.place(session, kLogName, false));
  TRY(Descriptor log, files::open_file(place.directory.get(), place.leaf,
                                       O_WRONLY | O_APPEND | O_CREAT, place.shown));
  struct stat before {};
  if (::fstat(log.get(), &before) != 0) return os_error(errno, "look at", place.shown);
  auto written = files::write_all(log.get(), json::dump(event) + "\n", place.shown);
  // Half a line would spoil the next one too.
  if (!written) (void)::ftruncate(log.get(), before.st_size);
  if (written) impl_->logs_ahead.insert(session);
  return written;
}

Ok FileStore::post(const std::string& session, const std::string& id, const Json& body) {
  return impl_->inbox.post(session, id, body);
}

bool FileStore::watched(const std::string& session) { return impl_->inbox.is_held(session); }

std::vector<std::pair<std::string, std::unique_ptr<Json>>> FileStore::inbox(
    const std::string& session) {
  return impl_->inbox.unhandled(session);
}

Ok FileStore::settle(const std::string& session, const std::string& id, const Json& outcome) {
  return impl_->inbox.settle(session, id, outcome);
}

std::unique_ptr<Json> FileStore::outcome(const std::string& session, const std::string& id) {
  return impl_->inbox.outcome(session, id);
}

Result<std::unique_ptr<Store::Watch>> FileStore::watch(const std::string& session,
                                                       std::function<void()> on_message) {
  struct InboxWatch : Watch {
    Descriptor inbox;
    std::unique_ptr<DirectoryWatcher::Handle> handle;
  };
  auto watch = std::make_unique<InboxWatch>();
  TRY(watch->inbox, impl_->inbox.hold(session));
  TRY(watch->handle, impl_->watcher.watch(watch->inbox.get(), std::move(on_message)));
  return std::unique_ptr<Watch>(std::move(watch));
}

Ok FileStore::archive(const std::string& session) {
  TRY(Descriptor directory, impl_->tree.session(session));
  Descriptor lock;
  if (impl_->held.count(session) == 0) {
    TRY(lock, take_lock(directory.get(), session, impl_->tree.path(session), impl_->clock));
  }
  TRY(Descriptor root, impl_->tree.root());
  const std::string shown = impl_->tree.path(kArchiveName);
  TRY(Descriptor archive, files::make_directory(root.get(), kArchiveName, shown));
  int error = EEXIST;
  for (int number = 1; error == EEXIST && number < 1000; ++number) {
    const std::string name = number == 1 ? session : session + "-" + std::to_string(number);
    error = files::rename_new(root.get(), session, archive.get(), name);
  }
  if (lock) release_lock(lock.get());
  if (error != 0) return os_error(error, "move into the archive", impl_->tree.path(session));
  return {};
}

std::string FileStore::path(const std::string& session, const std::string& name) const {
  return impl_->tree.path(session, name);
}

}  // namespace brainstorm
