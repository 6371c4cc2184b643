#pragma once
// Five ways to look at the same survey. Each lens prefers lines and files of its own kind, and no
// line serves two lenses while there are enough.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/models/excerpt.h"
#include "server/models/survey.h"

namespace brainstorm::offline {

struct Lens {
  std::string_view id;     // the archetype's; "" serves archetypes that people define
  std::uint8_t marks;      // what makes a line interesting
  std::uint32_t kinds;     // bits of FileKind
  bool rare;               // prefers files that are not the typical place
  std::string_view theme;  // two or three words for what it looks at
};

/// The lens of an archetype; the general one for an id that is not ours.
const Lens& lens_of(std::string_view archetype);

/// Fills survey.views. In slices; `survey` outlives the call.
Task<void> assign_views(Survey& survey);

/// A quoted place, read again when it was quoted.
struct Citation {
  std::string path;
  std::uint32_t line = 0;
  std::string excerpt;
  std::uint8_t marks = 0;
  FileKind kind = FileKind::other;
  bool context = false;
  std::string place() const { return path + ":" + std::to_string(line); }
};

/// The first `count` candidates that still hold what they promised, other files preferred.
Task<std::vector<Citation>> quote(Workspace& workspace, std::string question,
                                  std::vector<Candidate> candidates, std::size_t count);

}  // namespace brainstorm::offline
