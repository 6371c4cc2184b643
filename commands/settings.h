#pragma once
// What may be configured, as the engines read it. Where it comes from (files, environment, client)
// and how it is checked is server/settings' business. Defaults here are the documented defaults.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands/ports.h"

namespace brainstorm {

/// When a person is asked before the review: never, only when something is wrong, always.
enum class Checkpoints { none, gates, all };
enum class OnIncomplete { retry_then_proceed, proceed, abort };

struct Timeouts {
  Millis framing = std::chrono::minutes(5);
  Millis agent = std::chrono::minutes(10);  // also a tournament call and a team task
  Millis stage2 = std::chrono::minutes(15);
  Millis converging = std::chrono::minutes(10);
  Millis discovery = std::chrono::seconds(30);
  Millis discovery_sync = std::chrono::seconds(5);
  Millis global = std::chrono::minutes(45);
  Millis tournament_round = std::chrono::minutes(15);
  Millis tournament_global = std::chrono::minutes(90);
};

struct Limits {
  std::int64_t prompt_min = 10;  // Unicode code points after trimming
  std::int64_t prompt_max = 1000;
  std::int64_t searches = 2;
  std::int64_t fetches = 1;
  Millis search_retry_wait = std::chrono::seconds(30);
  Millis grouping_timeout = std::chrono::seconds(30);
  Millis grouping_retry_wait = std::chrono::seconds(5);
  std::int64_t concurrent = 5;
  std::int64_t message_bytes = std::int64_t{64} << 20;  // largest LSP message body
};

struct Budget {
  std::optional<double> usd;
  std::optional<std::int64_t> tokens;
  double warn_at = 0.8;
};

/// A role's model and what to use when it cannot be reached.
struct RoleModel {
  std::string name;
  std::vector<std::string> fallback;
};

struct Settings {
  Checkpoints checkpoints = Checkpoints::gates;
  OnIncomplete on_incomplete = OnIncomplete::retry_then_proceed;
  Timeouts timeouts;
  Limits limits;
  Budget budget;
  std::map<std::string, RoleModel> roles;
  std::vector<std::string> prohibited_patterns;  // ECMAScript regular expressions, checked at load
  double collapse = 0.6;    // thresholds.collapse: similarity of collapsed voices
  double hybrid = 0.6;      // thresholds.hybrid: of tournament hybrids
  bool restricted = false;  // artefacts may be read, nothing starts
};

}  // namespace brainstorm
