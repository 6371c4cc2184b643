#include "protocol/brainstorm.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace brainstorm {
namespace {

template <class T, class F>
Json array_of(const std::vector<T>& values, F convert) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(convert(value));
  return array;
}

Json strings(const std::vector<std::string>& values) {
  return array_of(values, [](const std::string& value) { return Json(value); });
}

/// Absent facts are null on the wire, so that every field is always there.
Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json option_json(const Option& option) {
  return Json::object({{"id", option.id}, {"title", option.title}});
}

Json field_json(const Field& field) {
  Json json = Json::object({{"id", field.id},
                            {"label", field.label},
                            {"type", field.type},
                            {"required", field.required}});
  if (!field.fallback.empty()) json["default"] = field.fallback;
  if (!field.options.empty()) json["options"] = array_of(field.options, option_json);
  return json;
}

Json agent_json(const AgentView& agent) {
  return Json::object({{"id", agent.id},
                       {"state", agent.state},
                       {"elapsedMs", agent.elapsed_ms},
                       {"model", agent.model},
                       {"tokens", agent.tokens},
                       {"lastActivityMs", agent.last_activity_ms},
                       {"headline", agent.headline}});
}

Json usage_json(const Usage& usage) {
  return Json::object({{"tokensIn", usage.tokens_in},
                       {"tokensOut", usage.tokens_out},
                       {"cached", usage.cached},
                       {"cost", usage.cost ? Json(*usage.cost) : Json()}});
}

Json file_json(const FileView& file) {
  return Json::object({{"name", file.name}, {"uri", file.uri}});
}

Json insight_json(const InsightView& insight) {
  return Json::object({{"id", insight.id},
                       {"kind", insight.kind},
                       {"title", insight.title},
                       {"uri", insight.uri},
                       {"line", insight.line}});
}

Json decision_json(const Decision& decision) { return to_json(decision); }

/// A list of objects below `object`; absent and null are an empty list.
template <class T, class F>
Result<std::vector<T>> list_at(const Json& object, const char* key, const std::string& path,
                               F convert) {
  std::vector<T> values;
  const Json* list = json::find(object, key);
  if (list == nullptr) return values;
  const std::string field = path.empty() ? key : path + "." + key;
  if (!list->is_array()) {
    return Error{ErrorCode::invalid_argument,
                 "\"" + field + "\" is not a list.",
                 "Give \"" + field + "\" as a list of objects.",
                 {{"field", field}}};
  }
  for (const Json& element : *list) {
    TRY(T value, convert(element, field + "[" + std::to_string(values.size()) + "]"));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Option> option_from(const Json& json, const std::string& path) {
  Option option;
  TRY(option.id, json::string_at(json, "id", path));
  TRY(option.title, json::string_at(json, "title", path));
  return option;
}

Result<Field> field_from(const Json& json, const std::string& path) {
  Field field;
  TRY(field.id, json::string_at(json, "id", path));
  field.label = json::text_or(json, "label", field.id);
  field.type = json::text_or(json, "type", "string");
  field.required = json::bool_or(json, "required", false);
  field.fallback = json::text_or(json, "default");
  TRY(field.options, list_at<Option>(json, "options", path, option_from));
  return field;
}

/// Form values are text inside; null and nested values say nothing a flat form could mean.
std::optional<std::string> as_text(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>();
  if (value.is_boolean() || value.is_number()) return json::dump(value);
  return std::nullopt;
}

}  // namespace

Json to_json(const Decision& decision) {
  return Json::object({{"id", decision.id},
                       {"kind", decision.kind},
                       {"prompt", decision.prompt},
                       {"options", array_of(decision.options, option_json)},
                       {"fields", array_of(decision.fields, field_json)},
                       {"blocking", decision.blocking},
                       {"createdAt", decision.created_at}});
}

Result<Decision> decision_from_json(const Json& value) {
  Decision decision;
  TRY(decision.id, json::string_at(value, "id", ""));
  TRY(decision.kind, json::string_at(value, "kind", ""));
  decision.prompt = json::text_or(value, "prompt");
  TRY(decision.options, list_at<Option>(value, "options", "", option_from));
  TRY(decision.fields, list_at<Field>(value, "fields", "", field_from));
  decision.blocking = json::bool_or(value, "blocking", true);
  // State files spell their keys with underscores.
  decision.created_at = json::text_or(value, "createdAt", json::text_or(value, "created_at"));
  return decision;
}

Json to_json(const Snapshot& snapshot) {
  return Json::object({{"id", snapshot.id},
                       {"mode", snapshot.mode},
                       {"folder", snapshot.folder},
                       {"question", snapshot.question},
                       {"stage", snapshot.stage},
                       {"stages", snapshot.stages},
                       {"stageName", snapshot.stage_name},
                       {"state", snapshot.state},
                       {"cancelling", snapshot.cancelling},
                       {"revision", snapshot.revision},
                       {"started", snapshot.started},
                       {"updated", snapshot.updated},
                       {"resumable", snapshot.resumable},
                       {"error", text_or_null(snapshot.error)},
                       {"agents", array_of(snapshot.agents, agent_json)},
                       {"usage", usage_json(snapshot.usage)},
                       {"pendingDecisions", array_of(snapshot.pending_decisions, decision_json)},
                       {"files", array_of(snapshot.files, file_json)},
                       {"insights", array_of(snapshot.insights, insight_json)},
                       {"versions", strings(snapshot.versions)},
                       {"warnings", strings(snapshot.warnings)}});
}

Json to_json(const Delta& delta) {
  return Json::object({{"session", delta.session},
                       {"agent", delta.agent},
                       {"offset", delta.offset},
                       {"text", delta.text}});
}

Json to_json(const Form& form) {
  Json json = Json::object({{"title", form.title}, {"fields", array_of(form.fields, field_json)}});
  if (!form.session.empty()) json["session"] = form.session;
  if (!form.decision.empty()) json["decision"] = form.decision;
  return json;
}

Result<FormAnswer> form_answer_from_json(const Json& value) {
  FormAnswer answer;
  if (value.is_null()) return answer;
  if (!value.is_object()) {
    return Error{ErrorCode::invalid_argument,
                 "The answer to a form is not an object.",
                 "Answer {action, values}, or null to dismiss the form.",
                 {{"field", "result"}}};
  }
  const std::string action = json::text_or(value, "action");
  if (action == "decline") answer.action = FormAnswer::Action::decline;
  if (action != "accept") return answer;
  answer.action = FormAnswer::Action::accept;
  const Json* values = json::find(value, "values");
  if (values == nullptr || !values->is_object()) return answer;
  for (const auto& [name, entry] : values->items()) {
    if (auto text = as_text(entry)) answer.values.emplace_back(name, *std::move(text));
  }
  return answer;
}

Json to_json(const Error& error) {
  Json json = Json::object();
  for (const auto& [name, value] : error.data) json[name] = value;
  json["code"] = to_string(error.code);
  json["hint"] = error.hint;
  return json;
}

}  // namespace brainstorm
