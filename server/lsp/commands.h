#pragma once
// workspace/executeCommand: one row a command. What is announced to clients is this table.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/session/manager.h"
#include "server/lsp/arguments.h"
#include "server/lsp/documents.h"
#include "server/lsp/jobs.h"
#include "server/lsp/outgoing.h"
#include "server/lsp/person.h"
#include "server/lsp/requests.h"

namespace brainstorm {

class App;

class Commands {
 public:
  /// All references outlive the jobs that commands spawn.
  Commands(App& app, Client& client, EditorPerson& person, const Documents& documents, Jobs& jobs);

  /// "brainstorm.start", …
  static std::vector<std::string> names();

  void execute(const Json& params, Reply reply);
  /// Cancels a session on the person's behalf, with nobody waiting for the outcome.
  void cancel_session(const std::string& session);
  /// A choice made in a dialog.
  void decide_from_prompt(Answer answer);

 private:
  struct Call {
    const Json& object;
    std::optional<std::string> token;
  };
  using Handler = void (Commands::*)(const Call& call, Reply reply);
  struct Row {
    std::string_view name;
    Handler run;
  };
  static const std::vector<Row>& table();

  void start(const Call& call, Reply reply);
  void sessions(const Call& call, Reply reply);
  void show(const Call& call, Reply reply);
  void decide(const Call& call, Reply reply);
  void accept(const Call& call, Reply reply);
  void resume(const Call& call, Reply reply);
  void cancel(const Call& call, Reply reply);
  void archive(const Call& call, Reply reply);
  void models(const Call& call, Reply reply);
  void doctor(const Call& call, Reply reply);

  struct Starting;
  struct Question;
  void begin(arguments::Start start, std::optional<std::string> token, Reply reply);
  Task<void> run_start(std::shared_ptr<Starting> starting, StartRequest request, Reply reply);
  void stop_start(Starting& starting);
  void ask_question(arguments::Start start, std::optional<std::string> token, Reply reply);
  void question_answered(Question& question, const Response& response);
  Task<void> question_expires(std::shared_ptr<Question> question);
  void answer(Reply reply, Task<Result<SessionRef>> work);

  App& app_;
  Client& client_;
  EditorPerson& person_;
  const Documents& documents_;
  Jobs& jobs_;
};

}  // namespace brainstorm
