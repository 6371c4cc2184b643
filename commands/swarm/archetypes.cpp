#include "commands/swarm/archetypes.h"

#include <nlohmann/json.hpp>

#include "commands/prompts/data.h"

namespace brainstorm {
namespace {

std::vector<Archetype> read_archetypes() {
  std::vector<Archetype> all;
  const Json rows = json::parse(data::archetypes).value();
  for (const Json& row : rows) {
    Archetype archetype;
    archetype.id = json::text_or(row, "id");
    archetype.title = json::text_or(row, "title");
    archetype.lens = json::text_or(row, "lens");
    archetype.researches = json::strings_at(row, "researches", archetype.id).value();
    archetype.asks = json::strings_at(row, "asks", archetype.id).value();
    archetype.key_question = json::text_or(row, "key_question");
    archetype.confidence_question = json::text_or(row, "confidence_question");
    archetype.bias = json::text_or(row, "bias");
    archetype.missing = json::text_or(row, "missing");
    archetype.row = std::make_shared<const Json>(row);
    all.push_back(std::move(archetype));
  }
  return all;
}

}  // namespace

const std::vector<Archetype>& archetypes() {
  static const std::vector<Archetype> all = read_archetypes();
  return all;
}

const Archetype* find_archetype(std::string_view id) {
  for (const Archetype& archetype : archetypes()) {
    if (archetype.id == id) return &archetype;
  }
  return nullptr;
}

}  // namespace brainstorm
