#pragma once
// What a person reads before, after and between the work of a session.

#include <string>

#include "server/cli/sessions.h"

namespace brainstorm::cli {

/// Which models will work, and what to know before it starts.
void report_plan(Context& context, const Plan& plan);
/// Prints the synthesis unless it is what `shown` holds already.
void show_synthesis(Context& context, const SessionRef& session, std::string& shown);
/// Where the session stands, where its files are, what can be done next.
void report_end(Context& context, const SessionRef& session);

}  // namespace brainstorm::cli
