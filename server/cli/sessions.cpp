#include "server/cli/sessions.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/this_coro.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "commands/task.h"
#include "protocol/text.h"
#include "server/cli/context_files.h"
#include "server/cli/exit_codes.h"
#include "server/cli/prompt.h"
#include "server/cli/report.h"

namespace brainstorm::cli {
namespace {

int fail(Context& context, const Error& error) {
  context.output.error(error);
  return context.signal != 0 ? 128 + context.signal : exit_code(error);
}

/// The decision that must be answered before the session can go on.
const Decision* blocking(const SessionRef& session) {
  const auto& pending = session.pending_decisions;
  const auto found = std::find_if(pending.begin(), pending.end(),
                                  [](const Decision& decision) { return decision.blocking; });
  return found == pending.end() ? nullptr : &*found;
}

/// Reads what a choice needs beside itself; false when the person gave nothing that is required.
Task<bool> ask_fields(Context& context, std::vector<Field> fields, Answer& answer) {
  for (const auto& field : fields) {
    context.output.draw(text::one_line(text::printable(field.label)) + ": ");
    auto typed = co_await context.keyboard->line();
    auto value = typed ? clean_line(*typed) : std::string();
    if (value.empty()) value = field.fallback;
    if (value.empty() && (field.required || field.id == "text")) {
      context.output.say("Nothing was entered, so nothing was changed.");
      co_return false;
    }
    if (!value.empty()) answer.values[field.id] = value;
  }
  co_return true;
}

/// An answer to the decision, or nullopt when the person leaves it for later.
Task<std::optional<Answer>> ask_person(Context& context, const Decision& decision) {
  for (const auto& line : question_lines(decision)) context.output.say(line);
  while (context.signal == 0) {
    context.output.draw("> ");
    auto typed = co_await context.keyboard->line();
    if (!typed) {
      context.output.say("");
      co_return std::nullopt;
    }
    const auto answered = read_answer(decision, *typed);
    if (answered.meaning == Typed::Meaning::later) co_return std::nullopt;
    if (answered.meaning == Typed::Meaning::unclear) {
      context.output.say("Type one of the numbers above, or Enter alone.");
      continue;
    }
    Answer answer;
    answer.session = context.session;
    answer.decision = decision.id;
    answer.choice = answered.choice;
    auto fields = fields_of(decision, answered.choice);
    const bool complete = co_await ask_fields(context, std::move(fields), answer);
    if (complete) co_return answer;
  }
  co_return std::nullopt;
}

/// Asks until an answer is taken; false: it stays open.
Task<bool> settle_decision(Context& context, const Decision& decision) {
  while (context.signal == 0) {
    context.asking = true;
    auto answer = co_await ask_person(context, decision);
    context.asking = false;
    if (!answer || context.signal != 0) co_return false;
    Answer given = *std::move(answer);
    auto decided = co_await context.app.sessions().decide(std::move(given));
    if (decided) co_return true;
    context.output.error(decided.error());
    if (decided.error().code == ErrorCode::already_decided) co_return true;
    if (exit_code(decided.error()) != kUsage) co_return false;
  }
  co_return false;
}

/// Follows a session until it has ended or nobody answers what it waits for.
Task<int> follow(Context& context, std::string session, bool show_result) {
  context.session = session;
  auto executor = co_await asio::this_coro::executor;
  std::string shown;  // the synthesis that is on the screen already
  while (true) {
    if (context.signal != 0) co_await stop_session(context);
    context.person.begin(executor, context.app.clock());
    auto settled = co_await context.app.sessions().settled(session);
    if (auto picture = context.app.sessions().snapshot(session); picture) {
      context.person.progress(*picture);
    }
    context.person.end();
    if (!settled) co_return fail(context, settled.error());
    const SessionRef reached = *std::move(settled);
    if (show_result) show_synthesis(context, reached, shown);
    const Decision* open = blocking(reached);
    bool go_on = open != nullptr && context.keyboard != nullptr && context.signal == 0;
    if (go_on) {
      const Decision decision = *open;
      go_on = co_await settle_decision(context, decision);
    }
    if (!go_on) {
      report_end(context, reached);
      if (context.signal != 0) co_return 128 + context.signal;
      co_return exit_code(reached.state, reached.pending_decisions);
    }
  }
}

Result<std::string> find(Context& context) {
  return context.app.sessions().find(context.arguments.session);
}

}  // namespace

Task<void> stop_session(Context& context) {
  if (context.signal != SIGINT) {
    co_await context.app.sessions().shutdown();
    co_return;
  }
  if (context.session.empty()) co_return;
  std::string session = context.session;
  auto cancelled = co_await context.app.sessions().cancel(std::move(session));
  // That it had ended meanwhile is no news.
  if (!cancelled && cancelled.error().code != ErrorCode::wrong_state) {
    context.output.error(cancelled.error());
  }
}

Task<int> run_session(Context& context) {
  const auto& arguments = context.arguments;
  StartRequest request;
  request.question = arguments.question;
  request.mode = arguments.mode;
  request.folder = context.folder;
  request.checkpoints = arguments.checkpoints;
  request.models = arguments.models;
  auto items = read_context(arguments.context);
  if (!items) co_return fail(context, items.error());
  request.context = *std::move(items);
  auto plan = context.app.sessions().plan(request);
  if (!plan) co_return fail(context, plan.error());
  report_plan(context, *plan);
  auto executor = co_await asio::this_coro::executor;
  context.person.begin(executor, context.app.clock());
  auto started = co_await context.app.sessions().start(std::move(request));
  if (!started) {
    context.person.end();
    co_return fail(context, started.error());
  }
  std::string session = started->id;
  const int code = co_await follow(context, std::move(session), true);
  co_return code;
}

Task<int> decide_session(Context& context) {
  auto found = find(context);
  if (!found) co_return fail(context, found.error());
  context.session = *found;
  Answer answer;
  answer.session = *found;
  answer.decision = context.arguments.decision;
  answer.choice = context.arguments.choice;
  answer.values = context.arguments.values;
  auto decided = co_await context.app.sessions().decide(std::move(answer));
  if (!decided) co_return fail(context, decided.error());
  std::string session = *std::move(found);
  const bool worked_on = decided->state != "COMPLETED";
  const int code = co_await follow(context, std::move(session), worked_on);
  co_return code;
}

Task<int> accept_session(Context& context) {
  auto found = find(context);
  if (!found) co_return fail(context, found.error());
  auto picture = context.app.sessions().snapshot(*found);
  if (!picture) co_return fail(context, picture.error());
  const auto& pending = picture->pending_decisions;
  const auto review = std::find_if(pending.begin(), pending.end(), [](const Decision& decision) {
    return decision.kind == "review";
  });
  if (review == pending.end()) {
    co_return fail(
        context,
        Error{ErrorCode::wrong_state,
              "Session " + *found + " is " + picture->state + ": it does not wait for a review.",
              "`" + command_line(context, "show " + *found + " board") + "` shows where it stands.",
              {{"session", *found}, {"state", picture->state}}});
  }
  context.session = *found;
  Answer answer;
  answer.session = *found;
  answer.decision = review->id;
  answer.choice = "accept";
  auto decided = co_await context.app.sessions().decide(std::move(answer));
  if (!decided) co_return fail(context, decided.error());
  std::string session = *std::move(found);
  const int code = co_await follow(context, std::move(session), false);
  co_return code;
}

Task<int> resume_session(Context& context) {
  auto found = find(context);
  if (!found) co_return fail(context, found.error());
  context.session = *found;
  std::string session = *found;
  auto resumed = co_await context.app.sessions().resume(std::move(session));
  if (!resumed) co_return fail(context, resumed.error());
  std::string followed = *std::move(found);
  const int code = co_await follow(context, std::move(followed), true);
  co_return code;
}

Task<int> cancel_session(Context& context) {
  auto found = find(context);
  if (!found) co_return fail(context, found.error());
  std::string session = *std::move(found);
  auto cancelled = co_await context.app.sessions().cancel(std::move(session));
  if (!cancelled) co_return fail(context, cancelled.error());
  report_end(context, *cancelled);
  co_return kDone;
}

Task<int> archive_session(Context& context) {
  auto found = find(context);
  if (!found) co_return fail(context, found.error());
  std::string session = *found;
  auto archived = co_await context.app.sessions().archive(std::move(session));
  if (!archived) co_return fail(context, archived.error());
  context.output.event("result", Json{{"session", *found}, {"state", archived->state}});
  context.output.result(*found + " is now in " + context.folder + "/.workflow/archive/\n");
  co_return kDone;
}

namespace {

Error unreadable(const std::string& path, const std::string& why) {
  return Error{
      ErrorCode::io_failed, path + ": " + why, "Look at the file yourself.", {{"file", path}}};
}

/// A file of a session as it is: never through a link, never waiting on a FIFO.
Result<std::string> read_plain(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{32} << 20;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return unreadable(path, std::strerror(errno));
  struct stat facts {};
  const bool regular = ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
  std::string content;
  std::array<char, 65536> buffer{};
  while (regular && content.size() < kLargest) {
    const auto count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(fd);
  if (!regular) return unreadable(path, "is not a regular file");
  return content;
}

}  // namespace

Result<std::string> artefact_text(Context& context, const std::string& session,
                                  const std::string& what, const std::string& agent) {
  TRY(const auto path, context.app.sessions().artefact(session, what, agent));
  Store* store = context.app.store(context.folder);
  const auto mark = "/" + session + "/";
  const auto at = path.rfind(mark);
  if (store && path.ends_with(".md") && at != std::string::npos) {
    auto document = store->read(session, path.substr(at + mark.size()));
    if (document) return std::string(text::trim(document->body)) + "\n";
  }
  return read_plain(path);
}

std::string command_line(const Context& context, const std::string& words) {
  std::string line = "brainstorm-ls " + words;
  if (context.arguments.folder.empty()) return line;
  std::string quoted;
  for (const char c : context.folder)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const bool plain = std::all_of(quoted.begin(), quoted.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-").find(c) != std::string_view::npos;
  });
  return line + " --folder " + (plain ? quoted : "'" + quoted + "'");
}

}  // namespace brainstorm::cli
