#pragma once
// The Store port on files below `<folder>/.workflow/`.

#include <memory>
#include <string>

#include "commands/ports.h"
#include "commands/task_fwd.h"
#include "server/store/sync_thread.h"

namespace brainstorm {

/// Sessions of one workspace folder. Opening it touches nothing; the first create() makes
/// .workflow/. Links below .workflow/ are never followed, other than regular files never opened.
class FileStore : public Store {
 public:
  /// The clock and the sync thread outlive the store; `folder` is an absolute path.
  FileStore(const asio::any_io_executor& executor, Clock& clock, SyncThread& sync,
            std::string folder);
  ~FileStore() override;

  Result<Listing> list(std::size_t limit) override;
  bool exists(const std::string& session) override;
  Task<Result<std::unique_ptr<SessionLock>>> create(std::string session,
                                                    DocumentView state) override;
  Result<std::unique_ptr<SessionLock>> lock(const std::string& session) override;
  Result<State> read_state(const std::string& session) override;
  Task<Result<void>> write_state(std::string session, DocumentView state,
                                 Durability durability) override;
  Task<Result<void>> put(std::string session, std::string name, DocumentView document,
                         Durability durability) override;
  Result<Document> read(const std::string& session, const std::string& name) override;
  bool has(const std::string& session, const std::string& name) override;
  std::vector<std::string> files(const std::string& session) override;
  Ok append_log(const std::string& session, const Json& event) override;
  Ok post(const std::string& session, const std::string& id, const Json& body) override;
  bool watched(const std::string& session) override;
  std::vector<std::pair<std::string, std::unique_ptr<Json>>> inbox(
      const std::string& session) override;
  Ok settle(const std::string& session, const std::string& id, const Json& outcome) override;
  std::unique_ptr<Json> outcome(const std::string& session, const std::string& id) override;
  Result<std::unique_ptr<Watch>> watch(const std::string& session,
                                       std::function<void()> on_message) override;
  Ok archive(const std::string& session) override;
  std::string path(const std::string& session, const std::string& name) const override;

  struct Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace brainstorm
