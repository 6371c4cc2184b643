#include "server/cli/views.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/session/timestamp.h"
#include "protocol/text.h"
#include "server/cli/board.h"
#include "server/cli/exit_codes.h"
#include "server/models/registry.h"
#include "server/settings/schema.h"

namespace brainstorm::cli {
namespace {

constexpr std::size_t kNewest = 20;
constexpr std::size_t kAll = 100000;
constexpr std::size_t kQuestion = 200;  // columns of a question where the terminal is wider

std::string safe(const std::string& value) { return text::one_line(text::printable(value)); }

/// Rows with their columns lined up; the last column keeps its length up to `width` in all.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], cells(row[i]));
  }
  std::string lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) line += pad(row[i], widths[i]) + "  ";
    line = fit(line + row.back(), std::max<std::size_t>(width, 40));
    while (line.ends_with(' ')) line.pop_back();
    lines += line + "\n";
  }
  return lines;
}

int fail(Context& context, const Error& error) {
  context.output.error(error);
  return exit_code(error);
}

Json summary_json(const SessionSummary& session) {
  Json pending = Json::array();
  for (const auto& decision : session.pending_decisions) pending.push_back(to_json(decision));
  return {{"id", session.id},
          {"mode", session.mode},
          {"question", session.question},
          {"state", session.state},
          {"started", session.started},
          {"updated", session.updated},
          {"folder", session.folder},
          {"resumable", session.resumable},
          {"pendingDecisions", std::move(pending)}};
}

}  // namespace

std::string age(const std::string& earlier, WallTime now) {
  const auto then = parse_iso8601(earlier);
  if (!then) return "–";
  const auto seconds = std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::seconds>(now - *then).count());
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min";
  if (seconds < 48 * 3600) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86400) + " d";
}

std::vector<std::string> short_ids(const std::vector<std::string>& ids) {
  constexpr std::string_view kLong = "swarm-session-";
  constexpr std::size_t kDay = 8;  // digits of a date
  auto sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto common = [](const std::string& a, const std::string& b) {
    const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<std::size_t>(ends.first - a.begin());
  };
  std::vector<std::string> result;
  for (const auto& id : ids) {
    const auto here = std::lower_bound(sorted.begin(), sorted.end(), id);
    std::size_t length = id.find_first_of("0123456789");
    length = length == std::string::npos ? id.size() : length + kDay;
    if (here != sorted.begin()) length = std::max(length, common(id, *std::prev(here)) + 1);
    const auto next = std::next(here);
    if (next != sorted.end()) length = std::max(length, common(id, *next) + 1);
    // A cut at a dash looks like a slip of the hand.
    while (length < id.size() && id[length - 1] == '-') ++length;
    auto brief = id.substr(0, length);
    if (brief.starts_with(kLong)) brief.replace(0, kLong.size(), "swarm-");
    result.push_back(std::move(brief));
  }
  return result;
}

int list_sessions(Context& context) {
  SessionFilter filter;
  filter.folder = context.folder;
  filter.limit = context.arguments.all ? kAll : kNewest;
  const auto sessions = context.app.sessions().list(filter);
  if (!sessions) return fail(context, sessions.error());
  for (const auto& session : *sessions) context.output.event("session", summary_json(session));
  if (context.output.json()) return kDone;
  if (sessions->empty()) {
    context.output.result("Nothing has been asked in " + context.folder +
                          " yet. Ask: brainstorm-ls run \"…\"\n");
    return kDone;
  }
  std::vector<std::string> ids;
  for (const auto& session : *sessions) ids.push_back(session.id);
  const auto brief = short_ids(ids);
  const auto now = context.app.clock().wall();
  std::vector<std::vector<std::string>> rows{{"SESSION", "STATE", "AGE", "QUESTION"}};
  for (std::size_t i = 0; i < sessions->size(); ++i) {
    const auto& session = (*sessions)[i];
    const auto state = session.state + (session.resumable ? " (resumable)" : "");
    rows.push_back(
        {safe(brief[i]), safe(state), age(session.started, now), safe(session.question)});
  }
  context.output.result(table(rows, context.output.live() ? context.output.width() : kQuestion));
  return kDone;
}

int show_artefact(Context& context) {
  const auto& arguments = context.arguments;
  const auto session = context.app.sessions().find(arguments.session);
  if (!session) return fail(context, session.error());
  // Without a name: the result, else what shows best how far it came.
  std::vector<std::string> tries{"synthesis", "board", "state"};
  if (!arguments.what.empty()) tries = {arguments.what};
  std::optional<Error> first;
  for (const auto& what : tries) {
    auto text = artefact_text(context, *session, what, arguments.agent);
    if (text) {
      context.output.result(*text);
      return kDone;
    }
    if (!first) first = text.error();
    if (text.error().code != ErrorCode::not_found) return fail(context, text.error());
  }
  return fail(context, *first);
}

int list_models(Context& context) {
  std::vector<std::vector<std::string>> rows{{"NAME", "TYPE", "USABLE", "ROLES", "WHY"}};
  for (const auto& model : context.app.models().models()) {
    context.output.event("model", Json{{"name", model.name},
                                       {"type", model.type},
                                       {"model", model.model},
                                       {"reachable", model.reachable},
                                       {"reason", model.reason},
                                       {"roles", model.roles}});
    rows.push_back({safe(model.name), safe(model.type), model.reachable ? "yes" : "no",
                    safe(text::join(model.roles, ", ")), safe(model.reason)});
  }
  context.output.result(table(rows, kQuestion));
  return kDone;
}

int report_health(Context& context) {
  if (!context.arguments.session.empty()) {
    const auto words = context.app.sessions().explain(context.arguments.session);
    if (!words) return fail(context, words.error());
    context.output.event("result", Json{{"text", *words}});
    context.output.result(*words);
    return kDone;
  }
  bool broken = false;
  Json checks = Json::array();
  std::string lines;
  for (const auto& check : examine(context.app, context.folder)) {
    broken = broken || check.status == "error";
    checks.push_back(
        {{"id", check.id}, {"status", check.status}, {"text", check.text}, {"hint", check.hint}});
    lines += pad(check.status, 8) + pad(check.id, 10) + check.text + "\n";
    if (!check.hint.empty()) lines += std::string(18, ' ') + check.hint + "\n";
  }
  context.output.event("result", Json{{"checks", std::move(checks)}});
  context.output.result(lines);
  return broken ? kFailed : kDone;
}

int print_settings(Context& context) {
  const auto& settings = context.app.settings(context.folder);
  std::vector<std::vector<std::string>> rows{{"SETTING", "VALUE", "FROM"}};
  Json list = Json::array();
  for (const auto& setting : settings.origins) {
    list.push_back({{"key", setting.key}, {"value", setting.value}, {"origin", setting.origin}});
    rows.push_back({safe(setting.key), fit(safe(setting.value), 48), safe(setting.origin)});
  }
  context.output.event("result",
                       Json{{"settings", std::move(list)}, {"warnings", settings.warnings}});
  context.output.result(table(rows, kQuestion));
  return kDone;
}

}  // namespace brainstorm::cli
