#include "commands/swarm/synthesis.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "commands/swarm/archetypes.h"
#include "commands/swarm/framing.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

std::vector<std::string> plain_texts(const Json& value, std::string_view key) {
  std::vector<std::string> texts;
  const Json* list = json::find(value, key);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& item : *list) {
    if (!item.is_string()) continue;
    std::string line = text::one_line(text::printable(item.get<std::string>()));
    if (!line.empty()) texts.push_back(std::move(line));
  }
  return texts;
}

ConflictSide read_side(const Json* side, const std::set<std::string>& known, Prose& prose) {
  ConflictSide read;
  if (side == nullptr) return read;
  read.position = text::one_line(text::printable(json::text_or(*side, "position")));
  for (const std::string& id : plain_texts(*side, "insight_ids")) {
    if (known.contains(id)) {
      read.insight_ids.push_back(id);
    } else {
      prose.warnings.push_back(
          "The synthesis named an insight that does not exist; it was dropped.");
    }
  }
  return read;
}

void read_conflicts(const Json& value, const std::set<std::string>& known, Prose& prose) {
  const Json* conflicts = json::find(value, "conflicts");
  if (conflicts == nullptr || !conflicts->is_array()) return;
  prose.conflicts_analysed = true;
  for (const Json& entry : *conflicts) {
    Conflict conflict;
    conflict.tension = text::one_line(text::printable(json::text_or(entry, "tension")));
    conflict.a = read_side(json::find(entry, "a"), known, prose);
    conflict.b = read_side(json::find(entry, "b"), known, prose);
    const bool two_sided = !conflict.a.insight_ids.empty() && !conflict.b.insight_ids.empty();
    if (!conflict.tension.empty() && two_sided) prose.conflicts.push_back(std::move(conflict));
  }
}

std::vector<std::string> missing_archetypes(const SessionState& state) {
  std::vector<std::string> missing;
  for (const AgentRecord& agent : state.agents) {
    if (!agent.complete()) missing.push_back(agent.id);
  }
  return missing;
}

/// Every complete agent's key insight is in exactly one theme.
bool all_incorporated(const Synthesis& synthesis) {
  for (const Perspective& perspective : synthesis.perspectives) {
    const std::string id = perspective.archetype + "_insight";
    std::size_t times = 0;
    for (const Theme& theme : synthesis.themes) {
      times += static_cast<std::size_t>(
          std::count(theme.insight_ids.begin(), theme.insight_ids.end(), id));
    }
    if (times != 1) return false;
  }
  return true;
}

}  // namespace

Result<Prose> read_prose(const std::string& answer, const std::vector<Insight>& insights,
                         std::string_view question) {
  TRY(const Json value, json::parse(answer));
  if (!value.is_object()) {
    return Error{ErrorCode::parse_error, "the synthesis answer is no object", "", {}};
  }
  Prose prose;
  std::set<std::string> known;
  for (const Insight& insight : insights) known.insert(insight.id);
  prose.summary = std::string(text::trim(text::printable(json::text_or(value, "summary"))));
  prose.open_questions = plain_texts(value, "open_questions");
  prose.next_steps = plain_texts(value, "next_steps");
  read_conflicts(value, known, prose);
  const auto leading = leading_words(prose.summary, question);
  if (!leading.empty()) {
    prose.warnings.push_back("The summary uses leading wording: " + text::join(leading, ", ") +
                             ".");
  }
  return prose;
}

Synthesis build_synthesis(std::vector<Perspective> perspectives, const SessionState& state,
                          double collapse) {
  Synthesis synthesis;
  synthesis.perspectives = std::move(perspectives);
  std::vector<int> confidences;
  for (const Perspective& perspective : synthesis.perspectives) {
    for (Insight& insight : insights_of(perspective))
      synthesis.insights.push_back(std::move(insight));
    confidences.push_back(perspective.confidence.value_or(1));
  }
  synthesis.worksheets =
      std::all_of(state.agents.begin(), state.agents.end(),
                  [](const auto& agent) { return !agent.complete() || agent.model == "offline"; });
  const Panel panel{static_cast<int>(synthesis.perspectives.size()),
                    static_cast<int>(state.agents.size())};
  synthesis.themes = group_lexically(synthesis.insights, state.question);
  synthesis.grouping_method = "lexical_fallback";
  synthesis.ranked = rank_themes(synthesis.themes, synthesis.insights, panel);
  synthesis.level = convergence_level(synthesis.ranked.convergent, panel);
  synthesis.portfolio = portfolio(synthesis.ranked, confidences, synthesis.worksheets);
  synthesis.diversity = diversity(synthesis.insights, synthesis.themes, state.question, collapse);
  synthesis.missing = missing_archetypes(state);
  return synthesis;
}

void check_gate(Synthesis& synthesis) {
  const auto convergent = synthesis.ranked.convergent.size();
  const auto divergent = synthesis.ranked.divergent.size();
  const bool blind_spots =
      std::any_of(synthesis.perspectives.begin(), synthesis.perspectives.end(),
                  [](const Perspective& perspective) { return !perspective.blind_spots.empty(); });
  synthesis.gate = {
      {"all available perspectives are incorporated", all_incorporated(synthesis),
       std::to_string(synthesis.perspectives.size()) + " perspectives"},
      {"two convergent insights, or a portfolio of options",
       convergent >= 2 || synthesis.portfolio.options, std::to_string(convergent) + " convergent"},
      {"three divergent insights", divergent >= 3, std::to_string(divergent) + " divergent"},
      {"conflicts are shown neutrally", synthesis.prose.conflicts_analysed,
       synthesis.prose.conflicts_analysed
           ? std::to_string(synthesis.prose.conflicts.size()) + " found"
           : "conflicts were not analysed"},
      {"blind spots are aggregated", blind_spots, ""},
      {"workflow discovery is cached or noted", true, "skipped: not part of this build"},
  };
}

}  // namespace brainstorm
