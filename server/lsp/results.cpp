#include "server/lsp/results.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/brainstorm.h"

namespace brainstorm {
namespace {

Json decisions(const std::vector<Decision>& pending) {
  Json list = Json::array();
  for (const Decision& decision : pending) list.push_back(to_json(decision));
  return list;
}

}  // namespace

Json to_json(const SessionRef& reference) {
  Json json = Json::object({{"session", reference.id}, {"state", reference.state}});
  if (!reference.pending_decisions.empty()) {
    json["pendingDecisions"] = decisions(reference.pending_decisions);
  }
  return json;
}

Json to_json(const SessionSummary& summary) {
  return Json::object({{"id", summary.id},
                       {"mode", summary.mode},
                       {"question", summary.question},
                       {"state", summary.state},
                       {"started", summary.started},
                       {"updated", summary.updated},
                       {"folder", summary.folder},
                       {"resumable", summary.resumable},
                       {"pendingDecisions", decisions(summary.pending_decisions)}});
}

Json to_json(const Plan& plan) {
  Json models = Json::array();
  for (const auto& [role, choice] : plan.models) {
    models.push_back(
        Json::object({{"role", role}, {"name", choice.name}, {"reason", choice.reason}}));
  }
  return Json::object({{"contextTokens", plan.context_tokens},
                       {"estimatedTokens", plan.estimated_tokens},
                       {"estimatedCost", plan.estimated_cost ? Json(*plan.estimated_cost) : Json()},
                       {"models", std::move(models)},
                       {"warnings", plan.warnings}});
}

Json to_json(const ModelInfo& model) {
  return Json::object({{"name", model.name},
                       {"type", model.type},
                       {"model", model.model},
                       {"reachable", model.reachable},
                       {"reason", model.reason},
                       {"roles", model.roles}});
}

Json to_json(const HealthCheck& check) {
  return Json::object(
      {{"id", check.id}, {"status", check.status}, {"text", check.text}, {"hint", check.hint}});
}

}  // namespace brainstorm
