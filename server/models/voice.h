#pragma once
// What each lens says, by rule. One function a lens and case; sheet.cpp sets them into the format.

#include <string>
#include <string_view>
#include <vector>

#include "server/models/lens.h"

namespace brainstorm::offline {

struct Words {
  std::string key;  // one or two sentences
  std::vector<std::string> further;
  std::string figure;                // an evidence point that is a number
  std::vector<std::string> unknown;  // blind spots beside the bias; the last one states the rule
};

/// What a voice speaks about.
struct Facts {
  const Survey& survey;
  const LensView& view;
  std::string terms;    // "parser and generator"
  std::string any;      // "parser or generator"
  std::string missing;  // terms that no file holds, empty: none
  std::string frame;    // a build file, as a place; empty: none
};

/// "3 files", "1 file".
std::string counted(std::size_t count, std::string_view thing);

Words say_found(std::string_view lens, const Facts& facts);
Words say_nothing_found(std::string_view lens, const Facts& facts);

}  // namespace brainstorm::offline
