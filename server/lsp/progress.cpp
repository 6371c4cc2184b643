#include "server/lsp/progress.h"

#include <algorithm>
#include <utility>

#include "protocol/text.h"

namespace brainstorm {
namespace {

std::string minutes_and_seconds(std::int64_t milliseconds) {
  const auto seconds = std::max<std::int64_t>(milliseconds, 0) / 1000;
  const std::string rest = std::to_string(seconds % 60);
  return std::to_string(seconds / 60) + (rest.size() < 2 ? ":0" : ":") + rest;
}

struct Agents {
  int total = 0;
  int complete = 0;
  int ended = 0;
  const AgentView* slowest = nullptr;  // of those that work
};

Agents count(const Snapshot& snapshot) {
  Agents agents;
  for (const AgentView& agent : snapshot.agents) {
    ++agents.total;
    if (agent.state == "complete") ++agents.complete;
    if (agent.state == "in_progress") {
      if (!agents.slowest || agent.elapsed_ms > agents.slowest->elapsed_ms) agents.slowest = &agent;
    } else if (agent.state != "pending") {
      ++agents.ended;
    }
  }
  return agents;
}

}  // namespace

ProgressView progress_view(const Snapshot& snapshot) {
  const Agents agents = count(snapshot);
  const int stages = std::max(snapshot.stages, 1);
  const int stage = std::clamp(snapshot.stage, 1, stages);
  ProgressView view;
  view.title = "[Stage " + std::to_string(stage) + "/" + std::to_string(stages) + " - " +
               snapshot.stage_name + "]";
  view.percentage = 100 * (stage - 1) / stages;
  if (agents.slowest) view.percentage += 100 * agents.ended / agents.total / stages;
  std::string state = text::lower_ascii(snapshot.state);
  if (agents.slowest || agents.ended > 0) {
    state = std::to_string(agents.complete) + "/" + std::to_string(agents.total) + " perspectives";
  }
  if (snapshot.cancelling) state = "cancelling";
  view.message = state;
  if (agents.slowest && !snapshot.cancelling) {
    view.message +=
        " · " + agents.slowest->id + " " + minutes_and_seconds(agents.slowest->elapsed_ms);
  }
  view.milestone = view.title + " " + state;
  return view;
}

bool is_working(const Snapshot& snapshot) {
  static constexpr std::string_view kResting[] = {"AWAITING_USER", "COMPLETED", "FAILED",
                                                  "ABORTED"};
  if (std::find(std::begin(kResting), std::end(kResting), snapshot.state) != std::end(kResting)) {
    return false;
  }
  return std::none_of(snapshot.pending_decisions.begin(), snapshot.pending_decisions.end(),
                      [](const Decision& decision) { return decision.blocking; });
}

WorkDone::Steps WorkDone::update(ProgressView view, Millis now) {
  const bool changed = view != view_;
  view_ = std::move(view);
  percentage_ = std::max(percentage_, std::clamp(view_.percentage, 0, 100));
  switch (phase_) {
    case Phase::fresh:
      phase_ = shown_ ? Phase::creating : Phase::logging;
      return shown_ ? Steps{{Step::Kind::create, "", "", 0}} : log();
    case Phase::adopted:
      return begin();
    case Phase::running:
      held_ = held_ || changed;
      return tick(now);
    case Phase::logging:
      return log();
    case Phase::creating:
    case Phase::ended:
      break;
  }
  return {};
}

WorkDone::Steps WorkDone::created(bool accepted) {
  if (phase_ != Phase::creating) return {};
  if (accepted) return begin();
  phase_ = Phase::logging;
  return log();
}

std::optional<WorkDone::Steps> WorkDone::adopt() {
  if (phase_ == Phase::running || phase_ == Phase::ended) return std::nullopt;
  if (std::exchange(phase_, Phase::adopted) == Phase::fresh) return Steps{};
  return begin();
}

WorkDone::Steps WorkDone::tick(Millis now) {
  const auto next = due();
  if (!next || now < *next) return {};
  held_ = false;
  reported_ = now;
  return {{Step::Kind::report, "", view_.message, percentage_}};
}

WorkDone::Steps WorkDone::end(const std::string& message) {
  const Phase before = std::exchange(phase_, Phase::ended);
  held_ = false;
  if (before == Phase::running) return {{Step::Kind::end, "", message, 0}};
  if (before == Phase::logging && !message.empty()) {
    return {{Step::Kind::log, "", view_.title + " " + message, 0}};
  }
  return {};
}

std::optional<Millis> WorkDone::due() const {
  if (phase_ != Phase::running || !held_) return std::nullopt;
  return reported_ ? *reported_ + kInterval : Millis::min();
}

WorkDone::Steps WorkDone::begin() {
  phase_ = Phase::running;
  held_ = false;
  return {{Step::Kind::begin, view_.title, view_.message, percentage_}};
}

WorkDone::Steps WorkDone::log() {
  if (view_.milestone == logged_) return {};
  logged_ = view_.milestone;
  return {{Step::Kind::log, "", logged_, 0}};
}

}  // namespace brainstorm
