// Starting a session, and what a start would do.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/session/manager_impl.h"
#include "commands/session/prompt_check.h"
#include "commands/session/saved_settings.h"
#include "commands/session/timestamp.h"
#include "commands/session/view.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

std::string new_id(const Mode& mode, Clock& clock) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string id = std::string(mode.directory_prefix()) + compact_time(clock.wall()) + "-";
  const std::uint64_t random = clock.random();
  for (int shift = 0; shift < 32; shift += 4) id += kHex[(random >> shift) & 15];
  return id;
}

Ok check_context(const std::vector<ContextItem>& context, const Settings& settings) {
  for (const ContextItem& item : context) {
    TRY_OK(check_prohibited(item.text, "context " + item.label, settings));
  }
  return {};
}

/// context.md: exactly what is sent beside the question.
std::string render_context(const std::vector<ContextItem>& context) {
  if (context.empty()) return "No material was handed over beside the question.\n";
  std::string body;
  for (const ContextItem& item : context) {
    std::string fence = "```";
    while (item.text.find(fence) != std::string::npos) fence += '`';
    body +=
        "## " + item.kind + ": " + text::one_line(item.label) + "\n\n" + fence + "\n" + item.text;
    if (!item.text.ends_with('\n')) body += '\n';
    body += fence + "\n\n";
  }
  return body;
}

Ok check_models(const StartRequest& request, const Mode& mode, const Models& models) {
  const std::vector<std::string> roles = mode.roles();
  for (const auto& [role, model] : request.models) {
    if (std::find(roles.begin(), roles.end(), role) == roles.end()) {
      return Error{ErrorCode::invalid_argument,
                   "\"" + role + "\" is no role of this mode",
                   "Roles: " + text::join(roles, ", ") + ".",
                   {{"field", "models." + role}}};
    }
    if (!models.knows(model)) {
      return Error{ErrorCode::model_unknown,
                   "no model is named \"" + model + "\"",
                   "See `brainstorm-ls models`.",
                   {{"field", "models." + role}}};
    }
  }
  return {};
}

std::vector<std::pair<std::string, ModelChoice>> choose_models(const StartRequest& request,
                                                               const Mode& mode,
                                                               const Models& models) {
  std::vector<std::pair<std::string, ModelChoice>> choices;
  for (const std::string& role : mode.roles()) {
    ModelChoice choice = models.choose(role);
    const auto named = request.models.find(role);
    if (named != request.models.end()) choice = {named->second, "", "named for this session"};
    choices.emplace_back(role, std::move(choice));
  }
  return choices;
}

void fill_state(SessionState& state, const StartRequest& request, const Settings& settings,
                const std::vector<std::pair<std::string, ModelChoice>>& models) {
  Json& document = *state.document;
  document["settings"] = saved_settings(settings);
  document["decisions"] = Json::array();
  for (const auto& [role, choice] : models) {
    document["models"][role] = choice.name;
    document["model_reasons"][role] = choice.reason;
  }
  if (!request.origin) return;
  const Origin& origin = *request.origin;
  document["origin"] = {
      {"uri", origin.uri},
      {"range",
       {{"start", {{"line", origin.start_line}, {"character", origin.start_character}}},
        {"end", {{"line", origin.end_line}, {"character", origin.end_character}}}}},
      {"text", text::shorten(origin.text, 200)}};
}

}  // namespace

Result<Plan> SessionManager::plan(const StartRequest& request) const {
  TRY(Folder * folder, impl_->folder_for_start(request.folder));
  TRY(auto mode, impl_->known_mode(request.mode));
  TRY(const std::string question, check_question(request.question, *folder->settings));
  TRY_OK(check_context(request.context, *folder->settings));
  TRY_OK(check_models(request, *mode, impl_->models));
  Plan plan;
  std::size_t characters = text::code_points(question);
  for (const ContextItem& item : request.context) characters += text::code_points(item.text);
  plan.context_tokens = static_cast<std::int64_t>(characters / 4);
  plan.models = choose_models(request, *mode, impl_->models);
  plan.warnings = advise(question);
  return plan;
}

Task<Result<SessionRef>> SessionManager::start(StartRequest request) {
  CO_TRY(Folder * folder, impl_->folder_for_start(request.folder));
  if (folder->settings->restricted) {
    co_return Error{ErrorCode::restricted,
                    "this workspace is restricted: artefacts can be read, nothing starts",
                    "Trust the workspace in the editor first.",
                    {}};
  }
  CO_TRY(const Plan planned, plan(request));
  CO_TRY(auto mode, impl_->known_mode(request.mode));
  Settings settings = *folder->settings;
  if (request.checkpoints) settings.checkpoints = *request.checkpoints;
  SessionState state;
  state.mode = mode->name();
  state.question = text::trim(request.question);
  state.id = new_id(*mode, impl_->clock);
  const WallTime now = impl_->clock.wall();
  state.created_at = state.last_updated = iso8601(now);
  state.expires_at = iso8601(now + std::chrono::hours(24));
  state.global_timeout_at = iso8601(now + settings.timeouts.global);
  state.warnings = planned.warnings;
  fill_state(state, request, settings, planned.models);
  mode->begin(state);

  const std::string id = state.id;
  const Json document = to_json(state);
  const DocumentView view{document, {}, leading_state_keys()};
  auto lock = co_await folder->store->create(id, view);
  if (!lock) co_return lock.error();
  *state.document = document;
  auto session = std::make_unique<Session>(impl_->executor, impl_->ports(*folder), mode,
                                           std::move(settings), std::move(state), *std::move(lock));
  session->attended = impl_->attended;
  session->log("started", {{"mode", request.mode}});
  const Json none;
  const std::string context = render_context(request.context);
  const DocumentView context_view{none, context, {}};
  const std::string context_name = "context.md";
  auto written = co_await folder->store->put(id, context_name, context_view, Durability::synced);
  if (!written) co_return written.error();
  SessionRef started = reference(session->state);
  impl_->activate(std::move(session));
  co_return started;
}

}  // namespace brainstorm
