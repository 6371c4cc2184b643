#include "commands/session/board.h"

#include <algorithm>

#include "commands/session/timestamp.h"
#include "protocol/text.h"

namespace brainstorm {

std::string stage_title(const Snapshot& snapshot) {
  return "[Stage " + std::to_string(std::max(snapshot.stage, 1)) + "/" +
         std::to_string(snapshot.stages) + " - " + snapshot.stage_name + "]";
}

std::string agents_done(const Snapshot& snapshot) {
  const auto done = std::count_if(snapshot.agents.begin(), snapshot.agents.end(),
                                  [](const AgentView& agent) { return agent.state == "complete"; });
  return std::to_string(done) + "/" + std::to_string(snapshot.agents.size()) + " perspectives";
}

std::string table_cell(const std::string& value) {
  std::string cell;
  for (const char c : text::one_line(text::printable(value))) {
    if (c == '|' || c == '<' || c == '[' || c == ']' || c == '`') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string render_board(const Snapshot& snapshot) {
  std::string board = "# " + stage_title(snapshot) + "\n\n";
  board += table_cell(snapshot.question) + "\n\n";
  board += "Session `" + snapshot.id + "` · " + snapshot.state + " · " + agents_done(snapshot) +
           " · updated " + snapshot.updated + "\n\n";
  board += "| agent | state | elapsed | last line |\n|---|---|---|---|\n";
  for (const AgentView& agent : snapshot.agents) {
    board += "| " + agent.id + " | " + agent.state + " | " +
             minutes_seconds(Millis{agent.elapsed_ms}) + " | " + table_cell(agent.headline) +
             " |\n";
  }
  for (const Decision& decision : snapshot.pending_decisions) {
    board +=
        "\n## Waiting for you: " + decision.kind + "\n\n" + table_cell(decision.prompt) + "\n\n";
    for (const Option& option : decision.options) {
      board += "- **" + table_cell(option.title) + "**: `brainstorm-ls decide " + snapshot.id +
               " " + option.id + "`\n";
    }
  }
  if (!snapshot.error.empty()) board += "\n## Failed\n\n" + table_cell(snapshot.error) + "\n";
  if (!snapshot.warnings.empty()) board += "\n## Warnings\n\n";
  for (const std::string& warning : snapshot.warnings) board += "- " + table_cell(warning) + "\n";
  return board;
}

}  // namespace brainstorm
