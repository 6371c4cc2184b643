#include "server/models/digest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "protocol/text.h"
#include "server/models/excerpt.h"
#include "server/models/sheet.h"
#include "server/models/voice.h"

namespace brainstorm::offline {
namespace {

constexpr std::size_t kPlaces = 3;

/// A cited place and who cites its file.
struct Cited {
  std::string place;  // path:line
  std::string file;
  std::set<std::string> archetypes;
};

/// "path:line" in the first code span of an evidence point; empty when it cites no line.
std::string place_in(std::string_view evidence) {
  const std::size_t begin = evidence.find('`');
  if (begin == std::string_view::npos) return {};
  const std::size_t end = evidence.find('`', begin + 1);
  if (end == std::string_view::npos) return {};
  const std::string_view span = evidence.substr(begin + 1, end - begin - 1);
  const std::size_t colon = span.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == span.size()) return {};
  const std::string_view line = span.substr(colon + 1);
  const bool number = line.find_first_not_of("0123456789") == std::string_view::npos;
  return number && citable(span.substr(0, colon)) ? std::string(span) : std::string();
}

/// The members of an array that are objects, in order; none when `value` is something else.
std::vector<const Json*> objects(const Json* value) {
  std::vector<const Json*> found;
  if (value == nullptr || !value->is_array()) return found;
  for (const Json& one : *value) {
    if (one.is_object()) found.push_back(&one);
  }
  return found;
}

/// One place a file, those cited by more lenses first.
std::vector<Cited> strongest(const std::vector<const Json*>& insights) {
  std::vector<Cited> all;
  for (const Json* insight : insights) {
    const Json* evidence = json::find(*insight, "evidence");
    if (evidence == nullptr || !evidence->is_array()) continue;
    for (const Json& point : *evidence) {
      if (!point.is_string()) continue;
      const std::string place = place_in(point.get_ref<const std::string&>());
      if (place.empty()) continue;
      const std::string file = place.substr(0, place.rfind(':'));
      auto known =
          std::find_if(all.begin(), all.end(), [&](const Cited& one) { return one.file == file; });
      if (known == all.end()) known = all.insert(all.end(), {place, file, {}});
      known->archetypes.insert(json::text_or(*insight, "archetype"));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Cited& a, const Cited& b) {
    return a.archetypes.size() > b.archetypes.size();
  });
  if (all.size() > kPlaces) all.resize(kPlaces);
  return all;
}

std::vector<std::string> archetypes_of(const std::vector<const Json*>& insights) {
  std::vector<std::string> ids;
  for (const Json* insight : insights) {
    const std::string id = json::text_or(*insight, "archetype");
    if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

std::string summary(std::size_t insights, std::size_t perspectives, std::size_t themes,
                    const std::vector<Cited>& places, const std::string& terms) {
  std::string out = "This synthesis is a worksheet, no model was used for it. " +
                    counted(perspectives, "perspective") + " on " + terms + " left " +
                    counted(insights, "insight") + " in " + counted(themes, "theme") + ".";
  if (places.empty()) return out + " They cite no place in the workspace.";
  out += places.size() == 1 ? " The place cited by most lenses is "
                            : " The places cited by most lenses are ";
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0) out += i + 1 == places.size() ? " and " : ", ";
    out += "`" + places[i].place + "`";
  }
  return out + ". What they mean is left to the reader.";
}

Json next_steps(const std::vector<Cited>& places, const std::string& terms) {
  Json steps = Json::array();
  for (const Cited& one : places) {
    steps.push_back("Read `" + one.place + "` and note what a change to " + terms +
                    " would have to keep there.");
  }
  steps.push_back("Measure the present state of " + terms +
                  " once (time, size or number of faults), so that a change can be compared.");
  steps.push_back(
      "Write down what would settle the question, and answer the first open question "
      "below before any other.");
  steps.push_back(
      "For views that judge instead of count, ask again with a model: "
      "`brainstorm-ls models` lists which ones can be used and what each one lacks.");
  return steps;
}

}  // namespace

std::string synthesis_sheet(const std::string& question, const Json* data) {
  const Json none;
  const Json& material = data == nullptr ? none : *data;
  const auto insights = objects(json::find(material, "insights"));
  const auto themes = objects(json::find(material, "themes"));
  const auto archetypes = archetypes_of(insights);
  const auto places = strongest(insights);
  const std::string terms = shown_terms(question);
  Json sheet = Json::object();
  sheet["summary"] = summary(insights.size(), archetypes.size(), themes.size(), places, terms);
  sheet["open_questions"] = Json::array();
  for (const std::string& id : archetypes) {
    const auto asked = open_questions(id, nullptr, terms);
    if (!asked.empty()) sheet["open_questions"].push_back(asked.front());
  }
  sheet["next_steps"] = next_steps(places, terms);
  return json::pretty(sheet);
}

}  // namespace brainstorm::offline
