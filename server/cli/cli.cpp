#include "server/cli/cli.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <climits>
#include <csignal>
#include <nlohmann/json.hpp>

#include "commands/task.h"
#include "server/cli/exit_codes.h"
#include "server/cli/sessions.h"
#include "server/cli/trust.h"
#include "server/cli/views.h"
#include "server/lsp/server.h"
#include "server/os/paths.h"
#include "server/settings/schema.h"
#include "server/version.h"

namespace brainstorm::cli {
namespace {

bool makes_sessions_work(Verb verb) {
  return verb == Verb::run || verb == Verb::decide || verb == Verb::accept ||
         verb == Verb::resume || verb == Verb::cancel || verb == Verb::archive;
}

Result<std::string> workspace_folder(const Arguments& arguments) {
  std::string from = arguments.folder;
  if (from.empty()) {
    std::array<char, PATH_MAX> buffer{};
    if (!::getcwd(buffer.data(), buffer.size())) {
      return Error{ErrorCode::folder_missing,
                   "The current directory does not exist any more.",
                   "Change into a directory that exists, or use --folder DIR.",
                   {}};
    }
    from = buffer.data();
  }
  auto real = paths::real(from);
  struct stat facts {};
  if (!real || ::stat(real->c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
    return Error{ErrorCode::folder_missing,
                 "There is no folder " + from + ".",
                 "Name an existing directory with --folder DIR.",
                 {{"folder", from}}};
  }
  return arguments.folder.empty() ? find_workspace(*real) : *real;
}

Task<int> work(Context& context) {
  switch (context.arguments.verb) {
    case Verb::run:
      return run_session(context);
    case Verb::decide:
      return decide_session(context);
    case Verb::accept:
      return accept_session(context);
    case Verb::resume:
      return resume_session(context);
    case Verb::cancel:
      return cancel_session(context);
    default:
      return archive_session(context);
  }
}

int look(Context& context) {
  switch (context.arguments.verb) {
    case Verb::sessions:
      return list_sessions(context);
    case Verb::show:
      return show_artefact(context);
    case Verb::models:
      return list_models(context);
    case Verb::doctor:
      return report_health(context);
    default:
      return print_settings(context);
  }
}

/// Waits for signals while sessions work: the first stops the session, the second us.
class Signals {
 public:
  Signals(asio::io_context& io, Context& context) : io_(io), context_(context), set_(io) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      // Whoever started us under nohup, or in the background of a script, wants it ignored.
      struct sigaction now {};
      const bool ignored = ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
      if (!ignored) set_.add(number);
    }
    wait();
  }
  void end() {
    set_.cancel();
    stopping_.reset();
  }

 private:
  void wait() {
    set_.async_wait([this](const asio::error_code& error, int number) {
      if (error) return;
      arrived(number);
      wait();
    });
  }

  void arrived(int number) {
    if (context_.signal != 0) ::_exit(128 + number);
    context_.signal = number;
    if (context_.keyboard) context_.keyboard->interrupt();
    if (context_.asking) return;
    if (number == SIGINT) {
      context_.person.notify(Person::Level::info,
                             "Cancelling; what is finished stays. Ctrl-C again stops at once.");
    }
    stopping_ = std::make_unique<Background>(io_.get_executor(), stop_session(context_), nullptr);
  }

  asio::io_context& io_;
  Context& context_;
  asio::signal_set set_;
  std::unique_ptr<Background> stopping_;
};

Task<void> run_to_end(Context& context, int& code) {
  code = co_await work(context);
  co_await context.app.sessions().shutdown();
}

int run_work(asio::io_context& io, Context& context) {
  int code = kFailed;
  Signals signals(io, context);
  const auto ended = [&](Background::End end, const std::string& what) {
    if (end == Background::End::crashed) {
      context.output.error(Error{ErrorCode::internal,
                                 "Something is broken in here: " + what,
                                 "The session's files are kept; `brainstorm-ls resume last` may go "
                                 "on.",
                                 {}});
      code = kFailed;
    }
    signals.end();
    // What still waits (a heartbeat, a watch) has nothing left to do.
    io.stop();
  };
  const Background task(io.get_executor(), run_to_end(context, code), ended);
  io.run();
  return code;
}

int run_in_folder(const Arguments& arguments, Output& output, const std::string& folder) {
  asio::io_context io(1);
  TerminalPerson person(output);
  AppOptions options;
  const auto config = paths::config_dir();
  if (arguments.trust) {
    if (auto kept = remember_trust(config, folder); !kept) {
      output.error(kept.error());
      return exit_code(kept.error());
    }
  }
  options.trusted_folders = trusted_folders(config);
  App app(io, person, std::move(options));
  const auto keyboard = output.json() ? nullptr : Keyboard::open(io.get_executor());
  const auto opened = app.open_folder(folder);
  // The health report explains broken settings; everything else stops at them.
  if (!opened && arguments.verb != Verb::doctor) {
    output.error(opened.error());
    return exit_code(opened.error());
  }
  app.sessions().set_attended(keyboard != nullptr);
  Context context{app, output, person, keyboard.get(), arguments, folder, {}, false, 0};
  return makes_sessions_work(arguments.verb) ? run_work(io, context) : look(context);
}

int serve() {
  AppOptions options;
  return run_language_server(std::move(options));
}

}  // namespace

int run(const std::vector<std::string>& words) {
  std::signal(SIGPIPE, SIG_IGN);
  auto parsed = parse_arguments(words);
  const bool json = parsed && parsed->json;
  Output output(json);
  if (!parsed) {
    output.error(parsed.error());
    return kUsage;
  }
  const Arguments& arguments = *parsed;
  switch (arguments.verb) {
    case Verb::none:
      if (::isatty(STDIN_FILENO) != 1) return serve();
      output.result(help_screen());
      return kDone;
    case Verb::stdio:
      return serve();
    case Verb::help:
      output.result(arguments.help);
      return kDone;
    case Verb::version:
      output.result("brainstorm-ls " + std::string(kVersion));
      return kDone;
    default:
      break;
  }
  if (arguments.verb == Verb::config && arguments.schema) {
    const auto schema = settings::json_schema();
    output.event("result", Json{{"schema", schema}});
    output.result(json::pretty(schema));
    return kDone;
  }
  const auto folder = workspace_folder(arguments);
  if (!folder) {
    output.error(folder.error());
    return exit_code(folder.error());
  }
  return run_in_folder(arguments, output, *folder);
}

}  // namespace brainstorm::cli
