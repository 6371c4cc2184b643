#pragma once
// The person at a terminal: a live board, plain progress lines, or events.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "commands/ports.h"
#include "server/cli/output.h"

namespace asio {
class any_io_executor;
}

namespace brainstorm {
class Background;
}

namespace brainstorm::cli {

class TerminalPerson : public Person {
 public:
  explicit TerminalPerson(Output& output);
  ~TerminalPerson() override;

  /// Shows what happens from now on; the clock outlives the showing.
  void begin(const asio::any_io_executor& executor, Clock& clock);
  /// Draws for the last time: what is written next stands below the board.
  void end();

  void ask(const std::string& session, const Decision& decision) override;
  void settled(const std::string& session, const std::string& decision) override;
  void progress(const Snapshot& snapshot) override;
  void delta(const Delta& delta) override;
  void notify(Level level, const std::string& message) override;

 private:
  Task<void> tick();
  void draw();
  void erase();

  Output& output_;
  Clock* clock_ = nullptr;  // while showing
  std::unique_ptr<Background> ticker_;
  std::optional<Snapshot> snapshot_;
  Millis snapshot_at_{0};
  std::map<std::string, std::string> streamed_;  // agent → the end of what it has said
  Millis drawn_at_{0};
  bool stale_ = false;     // something changed since the last drawing
  std::size_t lines_ = 0;  // of the board on the screen
};

}  // namespace brainstorm::cli
