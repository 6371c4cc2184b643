#pragma once
// The messages of our own that cross the wire and feed every front end: decisions, forms, session
// snapshots, deltas. Field names on the wire are the camelCase forms; protocol/README.md is their
// reference. The command line's --json prints the same shapes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/json.h"

namespace brainstorm {

struct Option {
  std::string id;
  std::string title;  // ≤ 40 characters: it becomes a button
  bool operator==(const Option&) const = default;
};

/// One input of a flat form.
struct Field {
  std::string id;
  std::string label;
  std::string type = "string";  // string · enum · bool · number
  bool required = false;
  std::string fallback;         // wire name: default
  std::vector<Option> options;  // of an enum
  bool operator==(const Field&) const = default;
};

/// A choice that waits for a person. It is stored data: a dialog is only one way to answer it.
struct Decision {
  std::string id;      // unique within its session, e.g. "framing-1"
  std::string kind;    // framing · quorum · review · recovery · …
  std::string prompt;  // ≤ 2 lines
  std::vector<Option> options;
  std::vector<Field> fields;  // what a choice may need beside itself, e.g. text for refine
  bool blocking = true;       // false: an offer; work goes on meanwhile
  std::string created_at;     // ISO 8601, UTC
  bool operator==(const Decision&) const = default;
};

/// One row of the status board.
struct AgentView {
  std::string id;
  std::string state;  // pending · in_progress · complete · failed · timeout
  std::int64_t elapsed_ms = 0;
  std::string model;
  std::int64_t tokens = 0;
  std::int64_t last_activity_ms = 0;  // since the session's start
  std::string headline;               // last line of streamed text, or the reason of a failure
  bool operator==(const AgentView&) const = default;
};

struct Usage {
  std::int64_t tokens_in = 0;
  std::int64_t tokens_out = 0;
  std::int64_t cached = 0;
  std::optional<double> cost;  // USD; unset when a price is unknown
  bool operator==(const Usage&) const = default;
};

/// Where an insight, conflict or blind spot stands in the synthesis; line is 0-based.
struct InsightView {
  std::string id;    // C1, D2, …
  std::string kind;  // convergent · divergent · conflict · blind_spot
  std::string title;
  std::string uri;
  int line = 0;
  bool operator==(const InsightView&) const = default;
};

struct FileView {
  std::string name;  // as in sessions: "stage-3-synthesis.md"
  std::string uri;
  bool operator==(const FileView&) const = default;
};

/// `brainstorm/session`: everything a front end needs to draw a session, whole each time.
struct Snapshot {
  std::string id;
  std::string mode;
  std::string folder;  // path of the workspace folder
  std::string question;
  int stage = 0;  // 1-based; 0 before the first
  int stages = 0;
  std::string stage_name;  // FRAMING, …
  std::string state;       // DIVERGING, …
  bool cancelling = false;
  std::int64_t revision = 0;
  std::string started;  // ISO 8601, UTC
  std::string updated;
  bool resumable = false;
  std::string error;  // why it FAILED, in words
  std::vector<AgentView> agents;
  Usage usage;
  std::vector<Decision> pending_decisions;
  std::vector<FileView> files;
  std::vector<InsightView> insights;
  std::vector<std::string> versions;  // uris of kept synthesis versions
  std::vector<std::string> warnings;
};

/// `brainstorm/delta`: streamed text of one agent.
struct Delta {
  std::string session;
  std::string agent;
  std::int64_t offset = 0;  // code points before this text
  std::string text;
};

/// `brainstorm/input`: a flat form for one decision or command.
struct Form {
  std::string session;
  std::string decision;
  std::string title;
  std::vector<Field> fields;
};

struct FormAnswer {
  enum class Action { accept, decline, cancel };
  Action action = Action::cancel;
  std::vector<std::pair<std::string, std::string>> values;  // bools and numbers as text
};

Json to_json(const Decision& decision);
Result<Decision> decision_from_json(const Json& value);
Json to_json(const Snapshot& snapshot);
Json to_json(const Delta& delta);
Json to_json(const Form& form);
/// `null` and an unknown action mean cancel: a dismissed form changes nothing.
Result<FormAnswer> form_answer_from_json(const Json& value);
/// `{code, hint, …data}`: the `data` of an error response, and the command line's error event.
Json to_json(const Error& error);

}  // namespace brainstorm
