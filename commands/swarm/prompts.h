#pragma once
// What is sent to models, from the templates of prompts/swarm-templates.json.

#include <map>
#include <string>
#include <string_view>

#include "commands/swarm/archetypes.h"

namespace brainstorm {

/// The named template with each {slot} replaced. Slots inside replaced text stay as they are.
std::string fill_template(std::string_view name, const std::map<std::string, std::string>& slots);

/// Byte-identical for all perspectives of a session, without time stamps: prompt caches.
std::string shared_prompt(const std::string& challenge, const std::string& context);
/// The lens, last.
std::string perspective_prompt(const Archetype& archetype);

}  // namespace brainstorm
