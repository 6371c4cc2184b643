#include "server/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "protocol/text.h"

namespace brainstorm::cli {
namespace {

/// What CLI11 fills; turned into Arguments afterwards.
struct Raw {
  std::vector<std::string> question;
  std::string checkpoints;
  std::vector<std::string> models;
  std::vector<std::string> values;
  std::string text;
  bool has_text = false;
};

void add_everywhere(CLI::App& app, Arguments& arguments) {
  app.add_option("--folder", arguments.folder, "Workspace folder")->type_name("DIR");
  app.add_flag("--trust", arguments.trust, "Trust this workspace's settings from now on");
}

CLI::App& add(CLI::App& app, Arguments& arguments, Verb verb, const std::string& name,
              const std::string& about) {
  CLI::App* sub = app.add_subcommand(name, about);
  sub->parse_complete_callback([&arguments, verb] { arguments.verb = verb; });
  add_everywhere(*sub, arguments);
  return *sub;
}

void add_json(CLI::App& sub, Arguments& arguments) {
  sub.add_flag("--json", arguments.json, "One JSON object a line, nothing else");
}

void add_session(CLI::App& sub, Arguments& arguments) {
  sub.add_option("session", arguments.session, "An id, a unique beginning of one, or last")
      ->required();
}

void add_run(CLI::App& app, Arguments& arguments, Raw& raw) {
  auto& sub = add(app, arguments, Verb::run, "run", "Brainstorm on a question");
  sub.add_option("question", raw.question, "The question, in quotes")->required();
  sub.add_option("--mode", arguments.mode, "swarm")->check(CLI::IsMember({"swarm"}));
  sub.add_option("--context", arguments.context, "File that the agents get; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  sub.add_option("--checkpoints", raw.checkpoints, "When to ask: none, gates, all")
      ->check(CLI::IsMember({"none", "gates", "all"}));
  sub.add_option("--model", raw.models, "Model for a role, as critic=NAME; may be repeated")
      ->type_name("ROLE=NAME")
      ->allow_extra_args(false);
  add_json(sub, arguments);
}

void add_answers(CLI::App& app, Arguments& arguments, Raw& raw) {
  auto& decide = add(app, arguments, Verb::decide, "decide", "Answer an open decision");
  add_session(decide, arguments);
  decide.add_option("choice", arguments.choice, "One of the offered choices")->required();
  decide.add_option("--decision", arguments.decision, "Which one, when several are open")
      ->type_name("ID");
  decide.add_option_function<std::string>(
      "--text",
      [&raw](const std::string& text) {
        raw.text = text;
        raw.has_text = true;
      },
      "Text that goes with the choice");
  decide.add_option("--value", raw.values, "Another value; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_json(decide, arguments);
  for (const auto& [verb, name, about] :
       {std::tuple{Verb::accept, "accept", "Accept the result"},
        std::tuple{Verb::resume, "resume", "Go on after a crash, an abort or a failure"},
        std::tuple{Verb::cancel, "cancel", "Stop a session; finished work stays"},
        std::tuple{Verb::archive, "archive", "Move a session to .workflow/archive/"}}) {
    auto& sub = add(app, arguments, verb, name, about);
    add_session(sub, arguments);
    add_json(sub, arguments);
  }
}

void add_views(CLI::App& app, Arguments& arguments) {
  auto& sessions = add(app, arguments, Verb::sessions, "sessions", "List sessions, newest first");
  sessions.add_flag("--all", arguments.all, "All of them, not only the newest 20");
  add_json(sessions, arguments);
  auto& show = add(app, arguments, Verb::show, "show", "Print a file of a session");
  add_session(show, arguments);
  show.add_option("what", arguments.what, "synthesis, board, perspective, log, state, …");
  show.add_option("agent", arguments.agent, "Whose perspective");
  add_json(add(app, arguments, Verb::models, "models", "Models and whether they can be used"),
           arguments);
  auto& doctor = add(app, arguments, Verb::doctor, "doctor", "Find out why something fails");
  doctor.add_option("--session", arguments.session, "Explain one session")->type_name("SESSION");
  add_json(doctor, arguments);
  auto& config = add(app, arguments, Verb::config, "config", "Settings and where each comes from");
  config.add_flag("--schema", arguments.schema, "Print the JSON Schema of the settings file");
  add_json(config, arguments);
}

Error usage(std::string message, const std::string& field = {}) {
  Error error{ErrorCode::invalid_argument,
              std::move(message),
              "`brainstorm-ls --help` shows what can be typed.",
              {}};
  if (!field.empty()) error.data["field"] = field;
  return error;
}

Result<std::map<std::string, std::string>> pairs(const std::vector<std::string>& words,
                                                 const std::string& option,
                                                 const std::string& shape) {
  std::map<std::string, std::string> result;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
      return usage(option + " takes " + shape + ".", option);
    }
    result[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return result;
}

Ok finish(Arguments& arguments, const Raw& raw) {
  arguments.question = text::join(raw.question, " ");
  if (raw.checkpoints == "none") arguments.checkpoints = Checkpoints::none;
  if (raw.checkpoints == "gates") arguments.checkpoints = Checkpoints::gates;
  if (raw.checkpoints == "all") arguments.checkpoints = Checkpoints::all;
  TRY(arguments.models, pairs(raw.models, "--model", "ROLE=NAME, as critic=gpt"));
  TRY(arguments.values, pairs(raw.values, "--value", "KEY=VALUE"));
  if (raw.has_text) arguments.values["text"] = raw.text;
  // Arguments are bytes; everything inside is UTF-8.
  for (auto* text : {&arguments.question, &arguments.session, &arguments.choice,
                     &arguments.decision, &arguments.what, &arguments.agent}) {
    if (!text::is_valid_utf8(*text)) return usage("The arguments are not valid UTF-8.");
  }
  for (const auto& [key, value] : arguments.values) {
    if (!text::is_valid_utf8(key + value)) return usage("The arguments are not valid UTF-8.");
  }
  return {};
}

/// Editors start the server with flags of their own beside --stdio.
bool is_server_start(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [](const std::string& word) {
                       return word == "--stdio" || word.starts_with("--clientProcessId=");
                     }) &&
         std::find(words.begin(), words.end(), "--stdio") != words.end();
}

std::string message_of(const CLI::ParseError& error) {
  std::string message = error.what();
  if (!message.ends_with('.')) message += '.';
  return text::one_line(text::repair_utf8(message));
}

}  // namespace

std::string help_screen() {
  return R"(brainstorm-ls: several agents brainstorm on your question, in your own folder.

  brainstorm-ls run "Should we replace the hand-written parser by a generator?"

  run QUESTION [--context PATH] [--checkpoints none|gates|all]
      [--model ROLE=NAME]         a whole run, with a live board
  sessions [--all]                what has been asked, newest first
  show SESSION [WHAT] [AGENT]     synthesis, board, perspective critic, log, …
  decide SESSION CHOICE [--decision ID] [--text T] [--value KEY=VALUE]
                                  answer what a session waits for
  accept SESSION                  accept its result
  resume | cancel | archive SESSION
  models                          which models there are, and which is used
  doctor [--session SESSION]      find out why something does not work
  config [--schema]               settings, and where each comes from
  --stdio                         language server for an editor
  --version, --help               also VERB --help

SESSION is an id, a unique beginning of one, or `last`. Everywhere: --folder DIR
and --trust; --json where something is listed or run. Exit codes: 0 done,
1 failed, 2 usage, 3 a decision is needed first, 4 aborted, 130 interrupted.
)";
}

Result<Arguments> parse_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  if (words.empty()) return arguments;
  if (is_server_start(words)) {
    arguments.verb = Verb::stdio;
    return arguments;
  }
  Raw raw;
  bool version = false;
  CLI::App app("brainstorm-ls", "brainstorm-ls");
  app.require_subcommand(0, 1);
  app.add_flag("--version", version);
  add_everywhere(app, arguments);
  add_run(app, arguments, raw);
  add_answers(app, arguments, raw);
  add_views(app, arguments);
  try {
    // CLI11 wants them last first.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    arguments.verb = Verb::help;
    const auto chosen = app.get_subcommands();
    arguments.help = chosen.empty() ? help_screen() : chosen.front()->help();
    return arguments;
  } catch (const CLI::ParseError& error) {
    return usage(message_of(error));
  } catch (const std::exception& error) {
    return usage(std::string("The arguments cannot be read: ") + error.what() + ".");
  }
  if (version) arguments.verb = Verb::version;
  if (arguments.verb == Verb::none) return usage("There is no command.");
  TRY_OK(finish(arguments, raw));
  return arguments;
}

}  // namespace brainstorm::cli
