#pragma once
// The persisted state of a session: workflow-state.yaml as values. Fields that this version does
// not know are kept and written back.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/ports.h"
#include "protocol/brainstorm.h"
#include "protocol/json.h"

namespace brainstorm {

// States of every mode; a mode's transition table says which it uses.
namespace states {
inline constexpr std::string_view kInitialized = "INITIALIZED";
inline constexpr std::string_view kFraming = "FRAMING";
inline constexpr std::string_view kDiverging = "DIVERGING";
inline constexpr std::string_view kConverging = "CONVERGING";
inline constexpr std::string_view kAwaitingUser = "AWAITING_USER";
inline constexpr std::string_view kCompleted = "COMPLETED";
inline constexpr std::string_view kFailed = "FAILED";
inline constexpr std::string_view kAborted = "ABORTED";
}  // namespace states

/// COMPLETED, FAILED, ABORTED.
bool is_end_state(std::string_view state);

/// Agent and stage status words.
namespace status {
inline constexpr std::string_view kPending = "pending";
inline constexpr std::string_view kInProgress = "in_progress";
inline constexpr std::string_view kComplete = "complete";
inline constexpr std::string_view kFailed = "failed";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kSkipped = "skipped";
}  // namespace status

struct AgentRecord {
  std::string id;
  std::string status{status::kPending};
  std::string started_at;  // ISO 8601, UTC; empty before
  std::string completed_at;
  std::string output_file;  // "perspectives/critic.md"
  std::int64_t confidence = 0;
  std::string model;
  std::int64_t tokens = 0;  // of the answer
  std::int64_t elapsed_ms = 0;
  std::int64_t attempts = 0;
  std::string error;
  std::vector<std::string> warnings;

  bool complete() const { return status == status::kComplete; }
};

struct StageRecord {
  std::string name;  // stage_1 …
  std::string status{status::kPending};
  std::string started_at;
  std::string completed_at;
  std::string error;
};

struct SessionState {
  std::string id;
  std::string mode;
  std::string current_state{states::kInitialized};
  std::int64_t revision = 0;  // of the file as last written
  std::string created_at, last_updated, expires_at, global_timeout_at;
  std::string question;  // original_prompt
  std::string reframed_challenge;
  std::string problem_type;
  std::string error;            // why it FAILED
  std::int64_t machine_ms = 0;  // time spent working, waits for a person not counted
  Usage usage;
  std::vector<StageRecord> stages;
  std::vector<AgentRecord> agents;
  std::vector<Decision> pending_decisions;
  std::vector<std::string> warnings;
  /// The whole document as read or last written; modes keep facts of their own in it.
  std::unique_ptr<Json> document;

  SessionState();
  SessionState(SessionState&&) noexcept;
  SessionState& operator=(SessionState&&) noexcept;
  ~SessionState();

  StageRecord& stage(std::string_view name);
  AgentRecord* agent(std::string_view id);
  const Decision* blocking_decision() const;
  std::size_t complete_agents() const;

  /// Facts of a stage, e.g. facts("stage_3")["convergent_count"]; made when absent.
  Json& facts(std::string_view stage);
  const Json* find_facts(std::string_view stage) const;
};

/// The document to write. Leading keys make a listing possible from the first lines of the file.
Json to_json(const SessionState& state);
const std::vector<std::string_view>& leading_state_keys();
/// session_broken when what every session needs is missing.
Result<SessionState> session_state_from_json(const Json& document);

/// Allowed moves of one mode: {from, to}. Moves to ABORTED and FAILED are allowed from every state
/// but the end states; moves out of FAILED and ABORTED only by an explicit resume.
struct Transition {
  std::string_view from;
  std::string_view to;
};
/// wrong_state naming both states when the table does not hold the move.
Ok check_transition(const std::vector<Transition>& table, std::string_view from,
                    std::string_view to);

}  // namespace brainstorm
