#pragma once
// One stage of a session as one work-done progress of the editor: a pure state machine. It asks for
// a token, waits for the answer without delaying the work, begins, reports at most ten times a
// second, and ends last. Where the editor shows no progress, milestones become log messages.

#include <optional>
#include <string>
#include <vector>

#include "commands/ports.h"
#include "protocol/brainstorm.h"

namespace brainstorm {

/// What there is to show.
struct ProgressView {
  std::string title;      // "[Stage 2/4 - DIVERGING]"
  std::string message;    // "3/5 perspectives · critic 2:10"
  std::string milestone;  // a line for logs; it changes less often than the message
  int percentage = 0;
  bool operator==(const ProgressView&) const = default;
};
ProgressView progress_view(const Snapshot& snapshot);
/// Whether work is going on: not waiting for a person, not ended.
bool is_working(const Snapshot& snapshot);

class WorkDone {
 public:
  static constexpr Millis kInterval{100};

  struct Step {
    enum class Kind { create, begin, report, end, log };
    Kind kind;
    std::string title;    // of begin
    std::string message;  // of begin, report, end and log
    int percentage = 0;   // of begin and report
    bool operator==(const Step&) const = default;
  };
  using Steps = std::vector<Step>;

  /// `shown`: the editor declared window.workDoneProgress.
  explicit WorkDone(bool shown) : shown_(shown) {}

  Steps update(ProgressView view, Millis now);
  /// The editor answered our request to create the token.
  Steps created(bool accepted);
  /// A waiting request lends its own token, which needs no creation. nullopt: too late, ours began.
  std::optional<Steps> adopt();
  /// Sends a report that was held back.
  Steps tick(Millis now);
  Steps end(const std::string& message);

  /// When tick() wants to be called.
  std::optional<Millis> due() const;
  const std::string& title() const { return view_.title; }

 private:
  enum class Phase { fresh, creating, adopted, running, logging, ended };
  Steps begin();
  Steps log();

  bool shown_;
  Phase phase_ = Phase::fresh;
  ProgressView view_;
  std::string logged_;
  int percentage_ = 0;
  bool held_ = false;
  std::optional<Millis> reported_;
};

}  // namespace brainstorm
