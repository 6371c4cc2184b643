#pragma once
// The person behind an editor: decisions become dialogs, pictures become messages and progress.

#include <asio/any_io_executor.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "commands/ports.h"
#include "commands/task_fwd.h"
#include "server/lsp/outgoing.h"
#include "server/lsp/pacing.h"
#include "server/lsp/progress.h"
#include "server/lsp/prompts.h"

namespace brainstorm {

class Background;

class EditorPerson : public Person {
 public:
  /// All references outlive it.
  EditorPerson(const asio::any_io_executor& executor, Clock& clock, Client& client,
               Prompts::Decide decide);
  ~EditorPerson() override;

  void ask(const std::string& session, const Decision& decision) override;
  void settled(const std::string& session, const std::string& decision) override;
  void progress(const Snapshot& snapshot) override;
  void delta(const Delta& delta) override;
  void notify(Level level, const std::string& message) override;

  /// The waiting request that started `session` shows its progress under its own token (JSON text).
  void lend_token(const std::string& session, const std::string& token);
  /// `experimental/serverStatus` where declared; `problem` is empty while all is well.
  void tell_status(const std::string& problem);
  /// Ends what is shown of a session, before the waiting request is answered.
  void end_progress(const std::string& session);
  /// The session whose progress has this token (JSON text), when it can be cancelled.
  std::optional<std::string> session_of(const std::string& token) const;

 private:
  struct Shown {
    WorkDone work;
    std::string token;        // JSON text
    bool lent = false;        // stays for all stages
    std::int64_t create = 0;  // our request for the token
  };

  void show_progress(const Snapshot& snapshot);
  Shown& begin_stage(const std::string& session);
  void end_stage(const std::string& session, const std::string& message);
  void carry_out(const std::string& session, const WorkDone::Steps& steps);
  void create_token(const std::string& session, Shown& shown);
  void token_answered(const std::string& session, const std::string& token,
                      const Response& response);
  void send(const Delta& delta);
  /// Runs only while something is held back, so that an idle server never wakes.
  void keep_time();
  Task<void> time_passes();
  std::optional<Millis> next_due() const;

  asio::any_io_executor executor_;
  Clock& clock_;
  Client& client_;
  Prompts prompts_;
  DeltaPacer pacer_;
  std::map<std::string, Shown> shown_;       // by session
  std::map<std::string, std::string> lent_;  // tokens by session
  std::set<std::string> working_;            // sessions
  std::uint64_t tokens_ = 0;
  std::string problem_;
  bool timing_ = false;
  std::unique_ptr<Background> timer_;
};

}  // namespace brainstorm
