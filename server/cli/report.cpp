#include "server/cli/report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "protocol/text.h"
#include "server/cli/board.h"
#include "server/cli/exit_codes.h"

namespace brainstorm::cli {

void report_plan(Context& context, const Plan& plan) {
  if (context.output.json()) return;
  std::map<std::string, std::vector<std::string>> roles;  // choice → who it serves
  for (const auto& [role, choice] : plan.models) {
    roles[choice.name + " (" + choice.reason + ")"].push_back(role);
  }
  for (const auto& [choice, served] : roles) {
    const auto who = roles.size() == 1 ? std::string() : ": " + text::join(served, ", ");
    context.output.say("Model: " + choice + who);
  }
  for (const auto& warning : plan.warnings) context.output.say("warning: " + warning);
}

void show_synthesis(Context& context, const SessionRef& session, std::string& shown) {
  const bool there = session.state == "AWAITING_USER" || session.state == "COMPLETED";
  if (!there || context.output.json()) return;
  auto synthesis = artefact_text(context, session.id, "synthesis", "");
  if (!synthesis || *synthesis == shown) return;
  context.output.result("\n" + *synthesis);
  shown = *std::move(synthesis);
}

namespace {

std::string directory_of(Context& context, const std::string& session) {
  Store* store = context.app.store(context.folder);
  auto path = store ? store->path(session, "board.md") : std::string();
  return path.substr(0, path.rfind('/') + 1);
}

void say_next(std::string& lines, const Context& context, const std::string& words,
              const std::string& about) {
  const bool first = lines.find("Next") == std::string::npos;
  // Never cut: it is there to be copied.
  lines +=
      (first ? "Next     " : "         ") + command_line(context, words) + "   # " + about + "\n";
}

std::string next_steps(const Context& context, const SessionRef& session) {
  std::string lines;
  const Decision* shown = nullptr;
  for (const auto& decision : session.pending_decisions) {
    if (!shown || decision.blocking) shown = &decision;
  }
  if (shown) {
    for (const auto& option : shown->options) {
      const bool accept = shown->kind == "review" && option.id == "accept";
      const bool refine = option.id == "refine";
      const auto words =
          accept ? "accept " + session.id
                 : "decide " + session.id + " " + option.id + (refine ? " --text '…'" : "");
      say_next(lines, context, words, text::one_line(text::printable(option.title)));
    }
  }
  if (session.state == "FAILED" || session.state == "ABORTED") {
    say_next(lines, context, "resume " + session.id, "go on where it stopped");
  }
  if (session.state == "AWAITING_USER" || session.state == "COMPLETED") {
    say_next(lines, context, "show " + session.id + " perspective critic", "read one perspective");
  }
  return lines;
}

Json result_event(const SessionRef& session, const Snapshot* picture, int code) {
  Json pending = Json::array();
  for (const auto& decision : session.pending_decisions) pending.push_back(to_json(decision));
  Json event = {{"session", session.id}, {"state", session.state}, {"exitCode", code}};
  event["pendingDecisions"] = std::move(pending);
  if (!picture) return event;
  event["files"] = to_json(*picture).value("files", Json::array());
  if (!picture->error.empty()) event["error"] = picture->error;
  return event;
}

}  // namespace

void report_end(Context& context, const SessionRef& session) {
  const auto picture = context.app.sessions().snapshot(session.id);
  const int code = context.signal != 0 ? 128 + context.signal
                                       : exit_code(session.state, session.pending_decisions);
  context.output.event("result", result_event(session, picture ? &*picture : nullptr, code));
  if (context.output.json()) return;
  std::string lines = "\nSession  " + session.id + "  " + session.state + "\n";
  if (picture && !picture->error.empty()) lines += "Reason   " + picture->error + "\n";
  lines += "Files    " + directory_of(context, session.id) + "\n";
  context.output.result(lines + next_steps(context, session));
}

}  // namespace brainstorm::cli
