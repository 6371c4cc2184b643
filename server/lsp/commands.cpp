#include "server/lsp/commands.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "server/app.h"
#include "server/lsp/material.h"
#include "server/lsp/results.h"
#include "server/os/paths.h"

namespace brainstorm {
namespace {

/// How long a form for a missing question may stay open.
constexpr Millis kQuestionLimit = std::chrono::minutes(10);

Task<void> finish(Reply reply, Task<Result<SessionRef>> work) {
  auto done = co_await std::move(work);
  if (done) {
    reply.result(to_json(*done));
  } else {
    reply.error(done.error());
  }
}

Task<void> cancel_quietly(SessionManager& sessions, EditorPerson& person, std::string session) {
  auto done = co_await sessions.cancel(session);
  if (!done) person.notify(Person::Level::warning, done.error().message);
}

Task<void> decide_aloud(SessionManager& sessions, EditorPerson& person, Answer answer) {
  auto done = co_await sessions.decide(std::move(answer));
  if (done) co_return;
  const bool late = done.error().code == ErrorCode::already_decided;
  const auto level = late ? Person::Level::info : Person::Level::error;
  person.notify(level, done.error().message + " " + done.error().hint);
}

}  // namespace

Commands::Commands(App& app, Client& client, EditorPerson& person, const Documents& documents,
                   Jobs& jobs)
    : app_(app), client_(client), person_(person), documents_(documents), jobs_(jobs) {}

const std::vector<Commands::Row>& Commands::table() {
  static const std::vector<Row> kRows = {
      {"brainstorm.start", &Commands::start},   {"brainstorm.sessions", &Commands::sessions},
      {"brainstorm.show", &Commands::show},     {"brainstorm.decide", &Commands::decide},
      {"brainstorm.accept", &Commands::accept}, {"brainstorm.resume", &Commands::resume},
      {"brainstorm.cancel", &Commands::cancel}, {"brainstorm.archive", &Commands::archive},
      {"brainstorm.models", &Commands::models}, {"brainstorm.doctor", &Commands::doctor},
  };
  return kRows;
}

std::vector<std::string> Commands::names() {
  std::vector<std::string> names;
  for (const Row& row : table()) names.emplace_back(row.name);
  return names;
}

void Commands::execute(const Json& params, Reply reply) {
  static const Json kNothing = Json::object();
  const auto call = lsp::execute_command(params);
  if (!call) return reply.error(call.error());
  for (const Row& row : table()) {
    if (row.name != call->command) continue;
    const Json& object = call->argument != nullptr ? *call->argument : kNothing;
    return (this->*row.run)(Call{object, call->token}, std::move(reply));
  }
  reply.error(Error{ErrorCode::invalid_argument,
                    "there is no command \"" + call->command + "\"",
                    "Use one of the commands that the server announced.",
                    {{"field", "params.command"}}});
}

void Commands::cancel_session(const std::string& session) {
  jobs_.spawn(cancel_quietly(app_.sessions(), person_, session));
}

void Commands::decide_from_prompt(Answer answer) {
  jobs_.spawn(decide_aloud(app_.sessions(), person_, std::move(answer)));
}

void Commands::answer(Reply reply, Task<Result<SessionRef>> work) {
  // Not stopped by a cancel: what was begun on disk is finished, it takes milliseconds.
  jobs_.spawn(finish(std::move(reply), std::move(work)));
}

void Commands::sessions(const Call& call, Reply reply) {
  const auto filter = arguments::sessions(call.object);
  if (!filter) return reply.error(filter.error());
  const auto list = app_.sessions().list(*filter);
  if (!list) return reply.error(list.error());
  Json summaries = Json::array();
  for (const SessionSummary& summary : *list) summaries.push_back(to_json(summary));
  reply.result(std::move(summaries));
}

void Commands::show(const Call& call, Reply reply) {
  const auto show = arguments::show(call.object);
  if (!show) return reply.error(show.error());
  const auto session = app_.sessions().find(show->session);
  if (!session) return reply.error(session.error());
  const auto path = app_.sessions().artefact(*session, show->what, show->agent);
  if (!path) return reply.error(path.error());
  const std::string uri = paths::to_uri(*path);
  if (client_.features.show_document) {
    client_.request("window/showDocument", Json::object({{"uri", uri}, {"takeFocus", true}}),
                    [this](const Response& response) {
                      const bool refused =
                          response.error && response.error->code == rpc::kMethodNotFound;
                      if (refused) client_.features.show_document = false;
                    });
  }
  reply.result(Json::object({{"session", *session}, {"uri", uri}}));
}

void Commands::decide(const Call& call, Reply reply) {
  auto given = arguments::decide(call.object);
  if (!given) return reply.error(given.error());
  answer(std::move(reply), app_.sessions().decide(*std::move(given)));
}

void Commands::accept(const Call& call, Reply reply) {
  const auto session = arguments::session(call.object);
  if (!session) return reply.error(session.error());
  Answer given{*session, "", "accept", {}};
  // Offers may be open beside the review: the short form means the review.
  if (const auto shown = app_.sessions().snapshot(*session)) {
    for (const Decision& decision : shown->pending_decisions) {
      if (decision.kind == "review") given.decision = decision.id;
    }
  }
  answer(std::move(reply), app_.sessions().decide(std::move(given)));
}

void Commands::resume(const Call& call, Reply reply) {
  auto session = arguments::session(call.object);
  if (!session) return reply.error(session.error());
  answer(std::move(reply), app_.sessions().resume(*std::move(session)));
}

void Commands::cancel(const Call& call, Reply reply) {
  auto session = arguments::session(call.object);
  if (!session) return reply.error(session.error());
  answer(std::move(reply), app_.sessions().cancel(*std::move(session)));
}

void Commands::archive(const Call& call, Reply reply) {
  auto session = arguments::session(call.object);
  if (!session) return reply.error(session.error());
  answer(std::move(reply), app_.sessions().archive(*std::move(session)));
}

void Commands::models(const Call& /*call*/, Reply reply) {
  Json list = Json::array();
  for (const ModelInfo& model : app_.models().models()) list.push_back(to_json(model));
  reply.result(std::move(list));
}

void Commands::doctor(const Call& call, Reply reply) {
  const auto session = arguments::maybe_session(call.object);
  if (!session) return reply.error(session.error());
  if (*session) {
    const auto words = app_.sessions().explain(**session);
    if (!words) return reply.error(words.error());
    return reply.result(Json::object({{"session", **session}, {"text", *words}}));
  }
  const auto folders = app_.folders();
  Json checks = Json::array();
  for (const HealthCheck& check : examine(app_, folders.empty() ? "" : folders.front())) {
    checks.push_back(to_json(check));
  }
  reply.result(Json::object({{"checks", std::move(checks)}}));
}

/// A start that is under way, for as long as its request is not answered.
struct Commands::Starting {
  bool wait = false;
  std::optional<std::string> token;
  std::uint64_t job = 0;
  std::string session;  // once it exists
  bool cancelled = false;
};

void Commands::start(const Call& call, Reply reply) {
  auto start = arguments::start(call.object);
  if (!start) return reply.error(start.error());
  if (start->has_question) return begin(*std::move(start), call.token, std::move(reply));
  if (client_.features.input) return ask_question(*std::move(start), call.token, std::move(reply));
  reply.error(json::string_at(call.object, "question", lsp::kArgumentPath).error());
}

void Commands::begin(arguments::Start start, std::optional<std::string> token, Reply reply) {
  const auto fetched = fetch_material(start, documents_, client_.features.encoding);
  if (!fetched) return reply.error(fetched.error());
  if (start.dry_run) {
    const auto plan = app_.sessions().plan(start.request);
    return plan ? reply.result(to_json(*plan)) : reply.error(plan.error());
  }
  auto starting = std::make_shared<Starting>();
  starting->wait = start.wait;
  starting->token = std::move(token);
  reply.on_cancel([this, starting] { stop_start(*starting); });
  starting->job = jobs_.spawn(run_start(starting, std::move(start.request), std::move(reply)));
}

Task<void> Commands::run_start(std::shared_ptr<Starting> starting, StartRequest request,
                               Reply reply) {
  auto started = co_await app_.sessions().start(std::move(request));
  if (!started) {
    reply.error(started.error());
    co_return;
  }
  starting->session = started->id;
  if (starting->cancelled) {
    cancel_session(started->id);
    co_return;
  }
  if (!starting->wait) {
    reply.result(to_json(*started));
    co_return;
  }
  if (starting->token) person_.lend_token(started->id, *starting->token);
  const std::string session = started->id;
  auto settled = co_await app_.sessions().settled(session);
  person_.end_progress(session);
  if (settled) {
    reply.result(to_json(*settled));
  } else {
    reply.error(settled.error());
  }
}

/// The creation of a session is never cut short: a session that exists is cancelled instead.
void Commands::stop_start(Starting& starting) {
  starting.cancelled = true;
  if (starting.session.empty()) return;
  person_.end_progress(starting.session);
  jobs_.cancel(starting.job);
  cancel_session(starting.session);
}

/// A start whose question is asked for.
struct Commands::Question {
  arguments::Start start;
  std::optional<std::string> token;
  Reply reply;
  std::int64_t request = 0;
  std::uint64_t job = 0;  // waits for the limit
};

void Commands::ask_question(arguments::Start start, std::optional<std::string> token, Reply reply) {
  const Form form{
      "", "", "What should be brainstormed?", {{"question", "Question", "string", true, "", {}}}};
  auto question = std::make_shared<Question>(
      Question{std::move(start), std::move(token), std::move(reply), 0, 0});
  question->reply.on_cancel([this, question] {
    client_.withdraw(question->request);
    jobs_.cancel(question->job);
  });
  question->request = client_.request(
      "brainstorm/input", to_json(form),
      [this, question](const Response& response) { question_answered(*question, response); });
  question->job = jobs_.spawn(question_expires(question));
}

void Commands::question_answered(Question& question, const Response& response) {
  jobs_.cancel(question.job);
  if (response.error) {
    if (response.error->code == rpc::kMethodNotFound) client_.features.input = false;
    return question.reply.error(
        json::string_at(Json::object(), "question", lsp::kArgumentPath).error());
  }
  const auto form = form_answer_from_json(response.result);
  if (!form) return question.reply.error(form.error());
  for (const auto& [id, value] : form->values) {
    if (id == "question") question.start.request.question = value;
  }
  // A form that was closed starts nothing, and that is no error.
  if (form->action != FormAnswer::Action::accept) return question.reply.result(nullptr);
  begin(std::move(question.start), std::move(question.token), std::move(question.reply));
}

Task<void> Commands::question_expires(std::shared_ptr<Question> question) {
  const Millis limit = kQuestionLimit;
  co_await app_.clock().sleep(limit);
  client_.withdraw(question->request);
  question->reply.error(json::string_at(Json::object(), "question", lsp::kArgumentPath).error());
}

}  // namespace brainstorm
