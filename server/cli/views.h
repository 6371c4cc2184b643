#pragma once
// Commands that only look: sessions, show, models, doctor, config.

#include <string>
#include <vector>

#include "commands/ports.h"
#include "server/cli/sessions.h"

namespace brainstorm::cli {

int list_sessions(Context& context);
int show_artefact(Context& context);
int list_models(Context& context);
int report_health(Context& context);
int print_settings(Context& context);

/// For each id the shortest beginning that only it has, not shorter than its day, with "swarm-" for
/// "swarm-session-".
std::vector<std::string> short_ids(const std::vector<std::string>& ids);
/// "3 min", "5 h", "2 d" between two instants; "–" when the earlier one cannot be read.
std::string age(const std::string& earlier, WallTime now);

}  // namespace brainstorm::cli
