#include "commands/session/activation.h"

#include <asio/post.hpp>
#include <nlohmann/json.hpp>

namespace brainstorm {
namespace {

/// Errors after which nothing may be written: the session stays as it is on disk.
bool is_storage(ErrorCode code) {
  switch (code) {
    case ErrorCode::read_only:
    case ErrorCode::disk_full:
    case ErrorCode::io_failed:
    case ErrorCode::session_changed:
    case ErrorCode::session_not_found:
    case ErrorCode::session_broken:
    case ErrorCode::session_newer:
    case ErrorCode::session_locked:
    case ErrorCode::outside_workspace:
      return true;
    default:
      return false;
  }
}

Task<void> advance(Session& session, std::shared_ptr<std::optional<Error>> failure) {
  auto result = co_await session.mode.advance(session);
  if (!result) *failure = result.error();
}

void ignore_end(const std::exception_ptr&) {}

}  // namespace

Activation::Activation(const asio::any_io_executor& executor, std::unique_ptr<Session> session)
    : executor_(executor), session_(std::move(session)), ended_(executor) {}

void Activation::run(OnEnd on_end) {
  on_end_ = std::move(on_end);
  std::weak_ptr<Activation> weak = weak_from_this();
  working_ = std::make_unique<Background>(executor_, work(shared_from_this()),
                                          [weak](Background::End end, const std::string& what) {
                                            if (auto self = weak.lock())
                                              self->work_ended(end, what);
                                          });
}

void Activation::cancel() {
  if (wish_ != Wish::none) return;
  wish_ = Wish::cancel;
  session_->cancelling = true;
  session_->show();
  working_->cancel();
}

void Activation::stop() {
  wish_ = Wish::stop;
  working_->cancel();
  if (closing_) closing_->cancel();
}

void Activation::abandon() {
  on_end_ = nullptr;
  stop();
}

Task<void> Activation::work(std::shared_ptr<Activation> self) {
  auto failure = std::make_shared<std::optional<Error>>();
  auto crash = std::make_shared<std::exception_ptr>();
  Session& session = *self->session_;
  detail::Children children(self->executor_);
  children.spawn(advance(session, failure),
                 [crash](const std::exception_ptr& error) { *crash = error; });
  children.spawn(session.keep(), ignore_end);
  children.spawn(session.keep_lock(), ignore_end);
  co_await children.race();
  if (*crash) std::rethrow_exception(*crash);
  co_await settle(self, std::move(*failure));
}

/// Writes how the work ended and tells the person.
Task<void> Activation::settle(std::shared_ptr<Activation> self, std::optional<Error> failure) {
  Session& session = *self->session_;
  std::optional<Error>& stopped_by = self->error_;
  if (failure && is_storage(failure->code)) {
    stopped_by = std::move(failure);
    session.ports.person.notify(Person::Level::error,
                                stopped_by->message + ". " + stopped_by->hint);
    co_return;
  }
  if (failure) {
    session.state.error = failure->message;
    session.log("failed", {{"error", failure->message}});
    auto moved = session.move(states::kFailed);
    (void)moved;  // already ended: the text of the error is still worth keeping
    session.ports.person.notify(Person::Level::error, failure->message + ". " + failure->hint);
  }
  auto saved = co_await session.save(Durability::synced);
  if (!saved) {
    stopped_by = saved.error();
    session.ports.person.notify(Person::Level::error,
                                stopped_by->message + ". " + stopped_by->hint);
  }
  co_await session.write_board(true);
}

Task<void> Activation::abort(std::shared_ptr<Activation> self) {
  Session& session = *self->session_;
  for (AgentRecord& agent : session.state.agents) {
    if (agent.status == status::kInProgress) agent.status = status::kPending;
  }
  std::vector<std::string> withdrawn;
  for (const Decision& decision : session.state.pending_decisions) withdrawn.push_back(decision.id);
  session.state.pending_decisions.clear();
  auto moved = session.move(states::kAborted);
  (void)moved;  // it had ended by itself in the same instant
  session.cancelling = false;
  std::optional<Error> none;
  co_await settle(self, std::move(none));
  for (const std::string& decision : withdrawn) {
    session.ports.person.settled(session.id(), decision);
  }
}

void Activation::work_ended(Background::End end, const std::string& what) {
  if (wish_ == Wish::stop || end == Background::End::finished) return finish();
  std::weak_ptr<Activation> weak = weak_from_this();
  auto closed = [weak](Background::End, const std::string&) {
    if (auto self = weak.lock()) self->finish();
  };
  if (end == Background::End::cancelled) {
    closing_ = std::make_unique<Background>(executor_, abort(shared_from_this()), closed);
    return;
  }
  Error crash{ErrorCode::internal,
              "session " + session_->id() + " stopped by a defect: " + what,
              "Please report it with the session's log.jsonl; resume may go on.",
              {}};
  closing_ =
      std::make_unique<Background>(executor_, settle(shared_from_this(), std::move(crash)), closed);
}

void Activation::finish() {
  session_->release_lock();
  session_->show();
  auto on_end = std::move(on_end_);
  if (on_end) on_end(*this);
  ended_.set();
  // What runs now may be called from a background activity of ours: let it return first.
  asio::post(executor_, [self = shared_from_this()] {
    self->working_.reset();
    self->closing_.reset();
  });
}

}  // namespace brainstorm
