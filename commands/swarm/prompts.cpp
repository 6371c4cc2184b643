#include "commands/swarm/prompts.h"

#include <nlohmann/json.hpp>

#include "commands/prompts/data.h"
#include "protocol/text.h"

namespace brainstorm {

std::string fill_template(std::string_view name, const std::map<std::string, std::string>& slots) {
  static const Json templates = json::parse(data::swarm_templates).value();
  const std::string text = json::text_or(templates, name);
  std::string filled;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = text.find('}', open);
    if (open == std::string::npos || close == std::string::npos) break;
    const auto slot = slots.find(text.substr(open + 1, close - open - 1));
    filled += text.substr(at, open - at);
    if (slot == slots.end()) {
      filled += '{';  // JSON in the template, no slot
      at = open + 1;
    } else {
      filled += slot->second;
      at = close + 1;
    }
  }
  return filled + text.substr(at);
}

std::string shared_prompt(const std::string& challenge, const std::string& context) {
  return fill_template("shared", {{"challenge", challenge}, {"context", context}});
}

std::string perspective_prompt(const Archetype& archetype) {
  return fill_template("perspective", {{"title", archetype.title},
                                       {"lens", archetype.lens},
                                       {"asks", text::join(archetype.asks, " ")},
                                       {"researches", text::join(archetype.researches, ", ")},
                                       {"key_question", archetype.key_question},
                                       {"confidence_question", archetype.confidence_question},
                                       {"bias", archetype.bias}});
}

}  // namespace brainstorm
