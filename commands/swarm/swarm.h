#pragma once
// The perspective swarm: five lenses look at one question, blind to each other; what they share and
// what only one of them saw is weighed; the person reviews.

#include <memory>

#include "commands/session/mode.h"

namespace brainstorm {

std::unique_ptr<Mode> make_swarm();

}  // namespace brainstorm
