#pragma once
// What commands answer, as JSON.

#include "commands/session/manager.h"
#include "protocol/json.h"
#include "server/app.h"
#include "server/models/registry.h"

namespace brainstorm {

Json to_json(const SessionRef& reference);
Json to_json(const SessionSummary& summary);
Json to_json(const Plan& plan);
Json to_json(const ModelInfo& model);
Json to_json(const HealthCheck& check);

}  // namespace brainstorm
