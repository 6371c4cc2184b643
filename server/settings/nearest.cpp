#include <algorithm>
#include <set>

#include "protocol/text.h"
#include "server/settings/schema.h"

namespace brainstorm::settings {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

namespace {

/// Every group and key of the table; a "*" becomes what the unknown path has in that place.
std::set<std::string> known_paths(const Path& unknown) {
  std::set<std::string> known;
  for (const auto& key : keys()) {
    const auto parts = segments(key.path);
    std::string path;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool free = parts[i] == "*";
      if (i > 0) path += '.';
      path += free && i < unknown.size() ? text::shorten(unknown[i], 40) : std::string(parts[i]);
      if (free && i >= unknown.size()) path.replace(path.size() - 1, 1, "NAME");
      if (!free) known.insert(path);
    }
  }
  return known;
}

std::string last_segment(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// How far a guess is off: by the whole path, or by its last word when the group is another.
std::size_t distance(const std::string& unknown, const std::string& known) {
  const auto given = text::lower_ascii(unknown);
  const auto wanted = text::lower_ascii(known);
  const auto last = edit_distance(last_segment(given), last_segment(wanted));
  return std::min(edit_distance(given, wanted), last + 1);
}

std::string siblings(const Path& unknown) {
  std::set<std::string> names;
  const Path group(unknown.begin(), unknown.end() - 1);
  for (const auto& key : keys()) {
    const auto parts = segments(key.path);
    if (parts.size() <= group.size()) continue;
    bool below = true;
    for (std::size_t i = 0; i < group.size(); ++i) {
      below = below && (parts[i] == "*" || parts[i] == group[i]);
    }
    if (below) names.emplace(parts[group.size()]);
  }
  return text::join({names.begin(), names.end()}, ", ");
}

}  // namespace

std::string suggestion(const Path& unknown) {
  // Only a short word is worth comparing; a hostile key may be megabytes long.
  const auto given = text::shorten(join(unknown), 80);
  std::string best;
  std::size_t least = 0;
  for (const auto& known : known_paths(unknown)) {
    const auto off = distance(given, known);
    if (best.empty() || off < least) best = known, least = off;
  }
  const auto word = last_segment(given);
  if (least <= std::max<std::size_t>(2, word.size() / 3)) return "Did you mean " + best + "?";
  return "Nearest is " + best + "; known here: " + siblings(unknown) + ".";
}

}  // namespace brainstorm::settings
