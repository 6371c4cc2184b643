#include <nlohmann/json.hpp>

#include "server/settings/schema.h"

namespace brainstorm::settings {
namespace {

Json texts() { return {{"type", "array"}, {"items", {{"type", "string"}}}}; }

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto space = text.find(' ');
    parts.emplace_back(text.substr(0, space));
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return parts;
}

Json row_schema(std::string_view columns) {
  Json row = {{"type", "object"}, {"additionalProperties", false}};
  for (auto column : words(columns)) {
    const bool required = column.ends_with('!');
    if (required) column.pop_back();
    const bool list = column.ends_with("[]");
    if (list) column.resize(column.size() - 2);
    row["properties"][column] = list ? texts() : Json{{"type", "string"}};
    if (required) row["required"].push_back(column);
  }
  return row;
}

Json secret_schema() {
  const auto one = [](std::string_view name, Json inner) {
    Json object = {{"type", "object"}, {"additionalProperties", false}};
    object["properties"][name] = std::move(inner);
    object["required"].push_back(name);
    return object;
  };
  Json either = Json::array({one("env", {{"type", "string"}}), one("command", texts())});
  either.push_back({{"type", "string"}});
  return {{"anyOf", either}};
}

Json role_schema() {
  Json object = {{"type", "object"}, {"additionalProperties", false}, {"required", {"model"}}};
  object["properties"]["model"] = {{"type", "string"}};
  object["properties"]["fallback"] = texts();
  Json either = Json::array({{{"type", "string"}}});
  either.push_back(std::move(object));
  return {{"anyOf", either}};
}

Json bounded(const Key& key, std::string_view type) {
  return {{"type", type}, {"minimum", key.low}, {"maximum", key.high}};
}

Json value_schema(const Key& key) {
  switch (key.kind) {
    case Kind::seconds:
    case Kind::number:
      return bounded(key, "number");
    case Kind::integer:
      return bounded(key, "integer");
    case Kind::text:
      return {{"type", "string"}, {"minLength", 1}};
    case Kind::url:
      return {{"type", "string"}, {"pattern", "^[Hh][Tt][Tt][Pp][Ss]?://"}};
    case Kind::choice:
      return {{"enum", words(key.options)}};
    case Kind::texts:
    case Kind::patterns:
    case Kind::hosts:
      return texts();
    case Kind::secret:
      return secret_schema();
    case Kind::role:
      return role_schema();
    case Kind::objects:
      break;
  }
  return {{"type", "array"},
          {"minItems", static_cast<int>(key.low)},
          {"maxItems", static_cast<int>(key.high)},
          {"items", row_schema(key.options)}};
}

}  // namespace

Json json_schema() {
  Json root = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"title", "Settings of brainstorm-ls"},
               {"type", "object"},
               {"additionalProperties", false}};
  for (const auto& key : keys()) {
    const auto parts = segments(key.path);
    Json* group = &root;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Json& next = parts[i] == "*" ? (*group)["additionalProperties"]
                                   : (*group)["properties"][std::string(parts[i])];
      group = &next;
      if (i + 1 == parts.size()) break;
      if (!next.is_object()) next = {{"type", "object"}, {"additionalProperties", false}};
    }
    *group = value_schema(key);
    (*group)["description"] = std::string(key.about);
    if (!key.fallback.empty()) (*group)["default"] = *json::parse(key.fallback);
  }
  return root;
}

}  // namespace brainstorm::settings
