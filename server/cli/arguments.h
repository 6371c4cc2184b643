#pragma once
// The command line as a value.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands/settings.h"
#include "protocol/result.h"

namespace brainstorm::cli {

enum class Verb {
  none,  // no arguments at all
  help,
  version,
  stdio,
  run,
  sessions,
  show,
  decide,
  accept,
  resume,
  cancel,
  archive,
  models,
  doctor,
  config,
};

struct Arguments {
  Verb verb = Verb::none;
  std::string help;    // what to print for Verb::help
  std::string folder;  // --folder; empty: found from the current directory
  bool trust = false;
  bool json = false;

  std::string question;
  std::string mode = "swarm";
  std::vector<std::string> context;  // paths
  std::optional<Checkpoints> checkpoints;
  std::map<std::string, std::string> models;  // role → model

  std::string session;
  std::string choice, decision;
  std::map<std::string, std::string> values;  // of a decision; --text is "text"
  std::string what, agent;                    // of show
  bool all = false;
  bool schema = false;
};

/// `words` are the arguments without the program's name. invalid_argument says what is wrong.
Result<Arguments> parse_arguments(const std::vector<std::string>& words);

/// The help screen: at most 24 lines of 80 columns.
std::string help_screen();

}  // namespace brainstorm::cli
