#pragma once
// The lenses of the swarm, from the shipped data.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json.h"

namespace brainstorm {

struct Archetype {
  std::string id;  // file stem: "critic"
  std::string title;
  std::string lens;
  std::vector<std::string> researches;
  std::vector<std::string> asks;
  std::string key_question;
  std::string confidence_question;
  std::string bias;                 // what it must admit
  std::string missing;              // what the synthesis says when it took no part
  std::shared_ptr<const Json> row;  // the data it came from
};

/// In their fixed order.
const std::vector<Archetype>& archetypes();
const Archetype* find_archetype(std::string_view id);

}  // namespace brainstorm
