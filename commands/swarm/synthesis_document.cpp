// The synthesis as a document: front matter for machines, Markdown for people.

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "commands/session/timestamp.h"
#include "commands/swarm/archetypes.h"
#include "commands/swarm/synthesis.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

std::string decimal(double value) {
  char buffer[32];
  const int length = std::snprintf(buffer, sizeof buffer, "%.2f", value);
  std::string text(buffer, static_cast<std::size_t>(length));
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Text of models that begins a line must not become a heading, list or fence of ours, and "<" no
/// tag.
std::string inert(const std::string& words) {
  std::string shown;
  for (const char c : text::one_line(text::printable(words))) {
    if (c == '<') {
      shown += "&lt;";
    } else {
      shown += c;
    }
  }
  // A link that runs a command is text, not a link.
  for (std::size_t at = shown.find("](command:"); at != std::string::npos;
       at = shown.find("](command:", at)) {
    shown.replace(at, 2, "] (");
  }
  if (!shown.empty() && std::string_view("#>-+*`|").find(shown.front()) != std::string_view::npos &&
      !shown.starts_with("**") && !shown.starts_with('`')) {
    shown.insert(0, "\\");
  }
  return shown;
}

const Insight* find_insight(const Synthesis& synthesis, const std::string& id) {
  for (const Insight& insight : synthesis.insights) {
    if (insight.id == id) return &insight;
  }
  return nullptr;
}

std::string mark(char letter, std::size_t index) { return letter + std::to_string(index + 1); }

std::string heading(const std::string& id, const std::string& title) {
  return "### " + id + " · " + inert(text::shorten(title, 100)) + "\n\n";
}

/// `shown`: archetype → the heading under which its evidence stands already.
void add_theme(std::string& body, const Synthesis& synthesis, const std::string& id,
               const ScoredTheme& theme, std::map<std::string, std::string>& shown) {
  body += heading(id, theme.theme.title);
  body += "Score " + decimal(theme.score) + " · " + std::to_string(theme.archetypes.size()) +
          " of " + std::to_string(synthesis.perspectives.size()) + " perspectives (" +
          text::join(theme.archetypes, ", ") + ") · confidence claimed " + decimal(theme.average) +
          (theme.backed > 0 ? " · " + std::to_string(theme.backed) + " research-backed" : "") +
          "\n\n";
  for (const std::string& insight_id : theme.theme.insight_ids) {
    const Insight* insight = find_insight(synthesis, insight_id);
    if (insight == nullptr) continue;
    body += "- **" + insight->archetype + "**: " + inert(insight->text) + "\n";
  }
  body += "\nEvidence:\n\n";
  for (const std::string& archetype : theme.archetypes) {
    const auto [place, fresh] = shown.emplace(archetype, id);
    if (!fresh) {
      body += "- as under " + place->second + " (" + archetype + ")\n";
      continue;
    }
    for (const Perspective& perspective : synthesis.perspectives) {
      if (perspective.archetype != archetype) continue;
      for (const std::string& item : perspective.evidence) {
        body += "- " + inert(item) + " (" + archetype + ")\n";
      }
    }
  }
  body += "\n";
}

void add_list(std::string& body, const std::string& title, const std::vector<std::string>& items,
              const std::string& none) {
  body += "## " + title + "\n\n";
  for (const std::string& item : items) body += "- " + inert(item) + "\n";
  if (items.empty()) body += none + "\n";
  body += "\n";
}

void add_conflicts(std::string& body, const Synthesis& synthesis) {
  body += "## Conflicts\n\n";
  if (!synthesis.prose.conflicts_analysed) {
    body += "Conflicts were not analysed: that needs a model.\n\n";
    return;
  }
  if (synthesis.prose.conflicts.empty()) body += "The synthesis found no conflict.\n\n";
  for (std::size_t i = 0; i < synthesis.prose.conflicts.size(); ++i) {
    const Conflict& conflict = synthesis.prose.conflicts[i];
    body += heading(mark('X', i), conflict.tension);
    for (const ConflictSide* side : {&conflict.a, &conflict.b}) {
      body += "- " + inert(side->position) + " (" + text::join(side->insight_ids, ", ") + ")\n";
    }
    body += "\n";
  }
}

void add_blind_spots(std::string& body, const Synthesis& synthesis) {
  body += "## Blind spots\n\n";
  for (std::size_t i = 0; i < synthesis.perspectives.size(); ++i) {
    const Perspective& perspective = synthesis.perspectives[i];
    if (perspective.blind_spots.empty()) continue;
    body += heading(mark('B', i), "What the " + perspective.archetype + " may miss");
    for (const std::string& spot : perspective.blind_spots) body += "- " + inert(spot) + "\n";
    body += "\n";
  }
}

void add_missing(std::string& body, const Synthesis& synthesis) {
  if (synthesis.missing.empty()) return;
  body += "## What is missing\n\n";
  for (const std::string& id : synthesis.missing) {
    const Archetype* archetype = find_archetype(id);
    if (archetype != nullptr) body += "- " + archetype->missing + "\n";
  }
  body += "\n";
}

void add_making(std::string& body, const Synthesis& synthesis, const SessionState& state) {
  body +=
      "## How it was made\n\n| agent | state | model | confidence claimed | time | tokens "
      "|\n|---|---|---|---|---|---|\n";
  for (const AgentRecord& agent : state.agents) {
    body += "| " + agent.id + " | " + agent.status + " | " + agent.model + " | " +
            (agent.confidence > 0 ? std::to_string(agent.confidence) : "-") + " | " +
            minutes_seconds(Millis{agent.elapsed_ms}) + " | " + std::to_string(agent.tokens) +
            " |\n";
  }
  body += "\n- Grouping: " + synthesis.grouping_method + ", convergence level " +
          std::string(to_string(synthesis.level)) + "\n";
  const Diversity& diversity = synthesis.diversity;
  body +=
      "- Diversity: mean similarity " + decimal(diversity.mean_similarity) + ", " +
      std::to_string(diversity.groups) + " distinct groups" +
      (diversity.collapsed ? "; the voices collapsed, " + diversity.most_redundant + " adds least"
                           : "") +
      "\n- Searches: research off\n- Tokens: " + std::to_string(state.usage.tokens_in) + " in, " +
      std::to_string(state.usage.tokens_out) + " out\n";
  for (const std::string& warning : state.warnings) body += "- Warning: " + inert(warning) + "\n";
  for (const GateCheck& check : synthesis.gate) {
    body += std::string("- Gate: ") + (check.met ? "met" : "NOT met") + ": " + check.check +
            (check.note.empty() ? "" : " (" + check.note + ")") + "\n";
  }
}

std::string summary_of(const Synthesis& synthesis) {
  if (!synthesis.prose.summary.empty()) {
    std::string summary;
    for (const std::string_view line : text::lines(synthesis.prose.summary)) {
      summary += inert(std::string(line)) + "\n";
    }
    return summary;
  }
  return "No summary was written (" +
         std::string(synthesis.partial ? "the time was up" : "no model answered") +
         "). What follows was computed from the perspectives.\n";
}

Json theme_json(const std::string& id, const std::string& kind, const ScoredTheme& theme) {
  return {{"id", id},
          {"kind", kind},
          {"title", text::one_line(theme.theme.title)},
          {"score", theme.score},
          {"archetypes", theme.archetypes},
          {"average_confidence", theme.average},
          {"research_backed", theme.backed},
          {"insight_ids", theme.theme.insight_ids}};
}

}  // namespace

std::string render_synthesis(const Synthesis& synthesis, const SessionState& state) {
  std::string body = "# " + inert(state.reframed_challenge) + "\n\n";
  if (synthesis.worksheets) body += "*Worksheet, no model was used.*\n\n";
  if (synthesis.partial) body += "*Partial: the time for converging was up.*\n\n";
  body += "## Executive summary\n\n" + summary_of(synthesis) + "\n";
  if (synthesis.portfolio.options) {
    body += "**Portfolio of options.** Fewer than two insights are shared; read them side by side.";
    const auto diagnosis = explain(synthesis.portfolio.diagnosis);
    if (!diagnosis.empty()) body += " " + std::string(diagnosis);
    body += "\n\n";
  }
  std::map<std::string, std::string> shown;
  body += "## Convergent insights\n\n";
  const auto& convergent = synthesis.ranked.convergent;
  for (std::size_t i = 0; i < convergent.size(); ++i) {
    add_theme(body, synthesis, mark('C', i), convergent[i], shown);
  }
  if (convergent.empty()) body += "None: no insight was shared by two perspectives.\n\n";
  body += "## Divergent insights\n\n";
  const auto& divergent = synthesis.ranked.divergent;
  for (std::size_t i = 0; i < divergent.size(); ++i) {
    add_theme(body, synthesis, mark('D', i), divergent[i], shown);
  }
  if (divergent.empty()) body += "None: every insight was shared.\n\n";
  add_conflicts(body, synthesis);
  add_blind_spots(body, synthesis);
  add_missing(body, synthesis);
  add_list(body, "Open questions", synthesis.prose.open_questions, "None were written.");
  add_list(body, "Recommended next steps", synthesis.prose.next_steps, "None were written.");
  add_making(body, synthesis, state);
  return body;
}

Json synthesis_front(const Synthesis& synthesis, const SessionState& state) {
  Json insights = Json::array();
  Json themes = Json::array();
  auto add = [&](const std::string& id, const std::string& kind, const std::string& title) {
    insights.push_back({{"id", id}, {"kind", kind}, {"title", text::one_line(title)}});
  };
  auto add_themes = [&](const std::vector<ScoredTheme>& list, char letter,
                        const std::string& kind) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      themes.push_back(theme_json(mark(letter, i), kind, list[i]));
      add(mark(letter, i), kind, list[i].theme.title);
    }
  };
  add_themes(synthesis.ranked.convergent, 'C', "convergent");
  add_themes(synthesis.ranked.divergent, 'D', "divergent");
  for (std::size_t i = 0; i < synthesis.prose.conflicts.size(); ++i) {
    add(mark('X', i), "conflict", synthesis.prose.conflicts[i].tension);
  }
  Json blind_spots = Json::object();
  for (std::size_t i = 0; i < synthesis.perspectives.size(); ++i) {
    const Perspective& perspective = synthesis.perspectives[i];
    if (perspective.blind_spots.empty()) continue;
    blind_spots[perspective.archetype] = perspective.blind_spots;
    add(mark('B', i), "blind_spot", "What the " + perspective.archetype + " may miss");
  }
  Json gate = Json::array();
  for (const GateCheck& check : synthesis.gate) {
    gate.push_back({{"check", check.check}, {"met", check.met}, {"note", check.note}});
  }
  return {{"workflow_id", state.id},
          {"question", state.question},
          {"partial", synthesis.partial},
          {"worksheet", synthesis.worksheets},
          {"portfolio", synthesis.portfolio.options},
          {"diagnosis", to_string(synthesis.portfolio.diagnosis)},
          {"convergence_level", to_string(synthesis.level)},
          {"grouping_method", synthesis.grouping_method},
          {"active_agents", synthesis.perspectives.size()},
          {"missing_agents", synthesis.missing},
          {"insights", std::move(insights)},
          {"themes", std::move(themes)},
          {"blind_spots", std::move(blind_spots)},
          {"conflicts_analysed", synthesis.prose.conflicts_analysed},
          {"open_questions", synthesis.prose.open_questions},
          {"next_steps", synthesis.prose.next_steps},
          {"diversity",
           {{"mean_similarity", synthesis.diversity.mean_similarity},
            {"groups", synthesis.diversity.groups},
            {"collapsed", synthesis.diversity.collapsed}}},
          {"gate", std::move(gate)},
          {"warnings", state.warnings}};
}

}  // namespace brainstorm
