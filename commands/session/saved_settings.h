#pragma once
// The settings that a session started with, kept in its state so that whoever goes on with it, in
// this process or another, works by the same rules.

#include "commands/settings.h"
#include "protocol/json.h"

namespace brainstorm {

Json saved_settings(const Settings& settings);
/// `base` with what `saved` holds.
Settings restored_settings(const Settings& base, const Json* saved);

std::string_view to_string(Checkpoints checkpoints);
std::string_view to_string(OnIncomplete policy);

}  // namespace brainstorm
