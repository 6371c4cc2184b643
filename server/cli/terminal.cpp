#include "server/cli/terminal.h"

#include <nlohmann/json.hpp>

#include "commands/task.h"
#include "protocol/text.h"
#include "server/cli/board.h"

namespace brainstorm::cli {
namespace {

constexpr Millis kRedraw{100};  // at most ten times a second
constexpr Millis kSecond{1000};
constexpr std::size_t kTail = 400;  // bytes kept of an agent's stream: more than a line shows

/// The last line of a streamed text that says something.
std::string last_line(const std::string& streamed) {
  const auto whole = text::repair_utf8(streamed);
  const auto lines = text::lines(whole);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    auto shown = text::one_line(text::printable(*line));
    if (!text::trim(shown).empty()) return shown;
  }
  return {};
}

}  // namespace

TerminalPerson::TerminalPerson(Output& output) : output_(output) {}
TerminalPerson::~TerminalPerson() = default;

void TerminalPerson::begin(const asio::any_io_executor& executor, Clock& clock) {
  clock_ = &clock;
  lines_ = 0;
  if (output_.live()) {
    ticker_ = std::make_unique<Background>(executor, tick(), nullptr);
  }
}

void TerminalPerson::end() {
  ticker_.reset();
  if (clock_ && output_.live() && snapshot_) draw();
  clock_ = nullptr;
  lines_ = 0;
}

Task<void> TerminalPerson::tick() {
  while (true) {
    co_await clock_->sleep(kRedraw);
    const bool second_passed = clock_->monotonic() - drawn_at_ >= kSecond;
    if (snapshot_ && (stale_ || second_passed)) draw();
  }
}

void TerminalPerson::ask(const std::string& session, const Decision& decision) {
  output_.event("decision", Json{{"session", session}, {"decision", to_json(decision)}});
}

void TerminalPerson::settled(const std::string& /*session*/, const std::string& /*decision*/) {
  stale_ = true;
}

void TerminalPerson::progress(const Snapshot& snapshot) {
  output_.event("session", to_json(snapshot));
  if (!output_.json() && !output_.live()) {
    const Snapshot* before = snapshot_ ? &*snapshot_ : nullptr;
    for (const auto& line : progress_lines(before, snapshot)) output_.say(line);
  }
  const bool first = !snapshot_;
  snapshot_ = snapshot;
  stale_ = true;
  if (!clock_) return;
  snapshot_at_ = clock_->monotonic();
  if (first && output_.live()) draw();
}

void TerminalPerson::delta(const Delta& delta) {
  output_.event("delta", to_json(delta));
  if (!output_.live()) return;
  auto& tail = streamed_[delta.agent];
  const bool first = tail.empty();
  tail += delta.text;
  if (tail.size() > 2 * kTail) tail.erase(0, tail.size() - kTail);
  stale_ = true;
  // The first words of an agent are shown at once, later ones with the next tick.
  if (first && clock_ && snapshot_ && clock_->monotonic() - drawn_at_ >= kRedraw) draw();
}

void TerminalPerson::notify(Level level, const std::string& message) {
  erase();
  const char* mark = level == Level::error ? "error: " : level == Level::warning ? "warning: " : "";
  output_.say(mark + message);
  stale_ = true;
}

void TerminalPerson::erase() {
  if (lines_ > 0) output_.draw("\x1b[" + std::to_string(lines_) + "A\r\x1b[J");
  lines_ = 0;
}

void TerminalPerson::draw() {
  const auto now = clock_->monotonic();
  auto shown = *snapshot_;
  for (auto& agent : shown.agents) {
    if (agent.state != "in_progress") continue;
    agent.elapsed_ms += (now - snapshot_at_).count();
    const auto streamed = streamed_.find(agent.id);
    if (streamed != streamed_.end()) agent.headline = last_line(streamed->second);
  }
  // One column is left free: a terminal may wrap a line that fills it.
  const auto lines = board_lines(shown, {output_.width() - 1, output_.colours()});
  std::string bytes;
  if (lines_ > 0) bytes += "\x1b[" + std::to_string(lines_) + "A\r";
  for (const auto& line : lines) bytes += line + "\x1b[K\n";
  bytes += "\x1b[J";
  output_.draw(bytes);
  lines_ = lines.size();
  drawn_at_ = now;
  stale_ = false;
}

}  // namespace brainstorm::cli
