#include "commands/session/view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/session/timestamp.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

constexpr std::string_view kSynthesis = "stage-3-synthesis.md";

std::string stage_name(const Mode& mode, int stage) {
  if (stage < 1) return std::string(mode.stages().front());
  return std::string(mode.stages()[static_cast<std::size_t>(stage) - 1]);
}

AgentView agent_view(const AgentRecord& agent) {
  AgentView view;
  view.id = agent.id;
  view.state = agent.status;
  view.elapsed_ms = agent.elapsed_ms;
  view.model = agent.model;
  view.tokens = agent.tokens;
  view.headline = text::one_line(agent.error);
  return view;
}

/// Insights are listed in the synthesis' front matter; their lines are found by their marked
/// headings.
void add_insights(Snapshot& shown, Store& store, const std::string& uri) {
  auto synthesis = store.read(shown.id, std::string(kSynthesis));
  if (!synthesis || !synthesis->front) return;
  const Json* insights = json::find(*synthesis->front, "insights");
  if (insights == nullptr || !insights->is_array()) return;
  const auto lines = text::lines(synthesis->body);
  for (const Json& entry : *insights) {
    InsightView view;
    view.id = json::text_or(entry, "id");
    view.kind = json::text_or(entry, "kind");
    view.title = json::text_or(entry, "title");
    view.uri = uri;
    const std::string mark = "### " + view.id + " ";
    const auto at = std::find_if(lines.begin(), lines.end(),
                                 [&](std::string_view line) { return line.starts_with(mark); });
    if (at == lines.end()) continue;
    view.line = synthesis->body_line + static_cast<int>(at - lines.begin());
    shown.insights.push_back(std::move(view));
  }
}

void add_files(Snapshot& shown, Store& store) {
  for (const std::string& name : store.files(shown.id)) {
    std::string uri = file_uri(store.path(shown.id, name));
    if (name.starts_with("stage-3-synthesis.v")) shown.versions.push_back(uri);
    if (name == kSynthesis) add_insights(shown, store, uri);
    shown.files.push_back({name, std::move(uri)});
  }
}

}  // namespace

std::string file_uri(const std::string& path) {
  static constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kHex[byte >> 4];
      uri += kHex[byte & 15];
    }
  }
  return uri;
}

bool is_resumable(const SessionState& state) {
  if (state.current_state == states::kCompleted || state.current_state == states::kAwaitingUser) {
    return false;
  }
  return state.blocking_decision() == nullptr;
}

Snapshot picture(const SessionState& state, const Mode& mode, Store& store,
                 const std::string& folder) {
  Snapshot shown;
  shown.id = state.id;
  shown.mode = state.mode;
  shown.folder = folder;
  shown.question = state.question;
  shown.stage = mode.stage_of(state);
  shown.stages = static_cast<int>(mode.stages().size());
  shown.stage_name = stage_name(mode, shown.stage);
  shown.state = state.current_state;
  shown.revision = state.revision;
  shown.started = state.created_at;
  shown.updated = state.last_updated;
  shown.resumable = is_resumable(state);
  shown.error = state.error;
  shown.usage = state.usage;
  shown.pending_decisions = state.pending_decisions;
  shown.warnings = state.warnings;
  for (const AgentRecord& agent : state.agents) shown.agents.push_back(agent_view(agent));
  add_files(shown, store);
  return shown;
}

SessionRef reference(const SessionState& state) {
  return {state.id, state.current_state, state.pending_decisions};
}

std::string explain_state(const SessionState& state, const Mode& mode) {
  const int stage = mode.stage_of(state);
  std::string words = "Session " + state.id + " asks: " + text::one_line(state.question) + "\n";
  words += "It was started at " + state.created_at + " and stands in stage " +
           std::to_string(std::max(stage, 1)) + " of " + std::to_string(mode.stages().size()) +
           " (" + stage_name(mode, stage) + ", " + state.current_state + ") after " +
           minutes_seconds(Millis{state.machine_ms}) + " of work.\n";
  for (const AgentRecord& agent : state.agents) {
    words += "- " + agent.id + ": " + agent.status;
    if (!agent.error.empty()) words += ", because " + text::one_line(agent.error);
    words += "\n";
  }
  for (const std::string& warning : state.warnings) words += "Warning: " + warning + "\n";
  if (!state.error.empty()) words += "It failed: " + state.error + "\n";
  if (const Decision* decision = state.blocking_decision()) {
    words += "It waits for your decision \"" + decision->kind + "\": " + decision->prompt + "\n";
    for (const Option& option : decision->options) {
      words +=
          "  brainstorm-ls decide " + state.id + " " + option.id + "   (" + option.title + ")\n";
    }
  } else if (is_resumable(state)) {
    words +=
        "Nothing works on it now unless another process does. To go on:\n"
        "  brainstorm-ls resume " +
        state.id + "\n";
  } else {
    words += "Nothing is left to do.\n";
  }
  return words;
}

}  // namespace brainstorm
