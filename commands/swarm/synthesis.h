#pragma once
// Stage 3's result: numbers, attributions and lists by code, prose by a model or named as missing.

#include <string>
#include <vector>

#include "commands/convergence/grouping.h"
#include "commands/convergence/scoring.h"
#include "commands/session/state.h"
#include "commands/swarm/perspective.h"
#include "protocol/json.h"

namespace brainstorm {

struct ConflictSide {
  std::vector<std::string> insight_ids;
  std::string position;
};

struct Conflict {
  std::string tension;
  ConflictSide a, b;
};

/// What a model supplies.
struct Prose {
  std::string summary;  // empty: not written
  bool conflicts_analysed = false;
  std::vector<Conflict> conflicts;
  std::vector<std::string> open_questions;
  std::vector<std::string> next_steps;
  std::vector<std::string> warnings;  // unknown ids dropped, leading wording …
};

/// Reads a model's answer; ids that are none of `insights` are dropped with a warning.
Result<Prose> read_prose(const std::string& answer, const std::vector<Insight>& insights,
                         std::string_view question);

struct GateCheck {
  std::string check;
  bool met = false;
  std::string note;
};

struct Synthesis {
  std::vector<Perspective> perspectives;
  std::vector<Insight> insights;
  std::vector<Theme> themes;
  std::string grouping_method;
  RankedThemes ranked;
  Portfolio portfolio;
  ConvergenceLevel level = ConvergenceLevel::none;
  Diversity diversity;
  Prose prose;
  bool partial = false;
  bool worksheets = false;           // made without a model
  std::vector<std::string> missing;  // archetypes that took no part
  std::vector<GateCheck> gate;
};

/// Everything that needs no model, from the complete perspectives.
Synthesis build_synthesis(std::vector<Perspective> perspectives, const SessionState& state,
                          double collapse);
/// Fills `gate` once the prose is there.
void check_gate(Synthesis& synthesis);

/// The machine-readable form, for front matter.
Json synthesis_front(const Synthesis& synthesis, const SessionState& state);
std::string render_synthesis(const Synthesis& synthesis, const SessionState& state);

}  // namespace brainstorm
