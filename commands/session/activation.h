#pragma once
// A session being worked on in this process: from its lock to its release.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "commands/session/session.h"
#include "commands/task.h"

namespace brainstorm {

class Activation : public std::enable_shared_from_this<Activation> {
 public:
  using OnEnd = std::function<void(Activation&)>;

  Activation(const asio::any_io_executor& executor, std::unique_ptr<Session> session);

  /// Advances the session in the background; `on_end` is called once, when its lock is released.
  void run(OnEnd on_end);
  /// Unwinds the work; the session becomes ABORTED.
  void cancel();
  /// Unwinds the work; the session stays as it is on disk and can be resumed.
  void stop();
  /// stop() without a report: whoever would hear it is going away.
  void abandon();

  Session& session() { return *session_; }
  Signal& ended() { return ended_; }
  /// What kept the work from going on, when it was neither a decision nor an end state.
  const std::optional<Error>& error() const { return error_; }

 private:
  enum class Wish { none, cancel, stop };
  // They hold `self`: a coroutine may outlive the manager by the moment that its unwinding takes.
  static Task<void> work(std::shared_ptr<Activation> self);
  static Task<void> settle(std::shared_ptr<Activation> self, std::optional<Error> failure);
  static Task<void> abort(std::shared_ptr<Activation> self);
  void work_ended(Background::End end, const std::string& what);
  void finish();

  asio::any_io_executor executor_;
  std::unique_ptr<Session> session_;
  Signal ended_;
  OnEnd on_end_;
  Wish wish_ = Wish::none;
  std::optional<Error> error_;
  std::unique_ptr<Background> working_;
  std::unique_ptr<Background> closing_;
};

}  // namespace brainstorm
