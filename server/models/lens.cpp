#include "server/models/lens.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "commands/task.h"
#include "protocol/text.h"

namespace brainstorm::offline {
namespace {

constexpr std::uint32_t bit(FileKind kind) { return std::uint32_t{1} << static_cast<int>(kind); }

constexpr std::array kLenses = {
    Lens{"optimist", kExtension, bit(FileKind::docs) | bit(FileKind::source), false,
         "pieces to build on"},
    Lens{"critic", kDebt | kFailure, bit(FileKind::source), false, "failure handling"},
    Lens{"analyst", kMeasure, bit(FileKind::test) | bit(FileKind::bench), false,
         "counts and measurements"},
    Lens{"innovator", kAlternative, bit(FileKind::other), true, "another way"},
    Lens{"pragmatist", kBuild, bit(FileKind::manifest) | bit(FileKind::ci) | bit(FileKind::config),
         false, "build and upkeep"},
    Lens{"", kExtension | kFailure, 0, false, "its own question"},
};

constexpr std::size_t kFiles = 40;       // best files whose lines are weighed
constexpr std::size_t kCandidates = 12;  // kept for each lens

using Place = std::pair<std::string_view, std::uint32_t>;  // path, line

struct Scored {
  const FileScan* file = nullptr;
  Hit hit;
  bool context = false;
  double score = 0;
  Place place() const { return {file->path, hit.line}; }
};

/// How telling each term is: rare ones more.
std::vector<double> idf_of(const Survey& survey) {
  std::vector<double> idf;
  for (std::size_t i = 0; i < survey.terms.size(); ++i) {
    const double holding = survey.term_files[i] + 0.5;
    idf.push_back(survey.terms[i].weight *
                  std::log(1 + static_cast<double>(survey.read) / holding));
  }
  return idf;
}

double term_value(const std::vector<double>& idf, std::uint32_t terms) {
  double sum = 0;
  for (std::size_t i = 0; i < idf.size(); ++i) sum += (terms >> i & 1) != 0 ? idf[i] : 0;
  return sum * (1 + 0.3 * (std::popcount(terms) - 1));
}

double kind_factor(const Lens& lens, FileKind kind) {
  if ((lens.kinds & bit(kind)) != 0) return kind == FileKind::bench ? 4 : 2;
  // Tests repeat the words of what they test; only the analyst looks at them first.
  return kind == FileKind::docs || kind == FileKind::test ? 0.5 : 1;
}

double score_of(const std::vector<double>& idf, const Lens& lens, const FileScan& file,
                double relevance, const Hit& hit) {
  const bool marked = (hit.meaning.marks & lens.marks) != 0;
  double score = term_value(idf, hit.meaning.terms);
  if (hit.meaning.terms == 0) score = marked ? 0.3 : 0.02;
  score *= lens.rare ? 1 - 0.5 * relevance : 0.4 + 0.6 * relevance;
  if (marked) score *= 4;
  if ((hit.meaning.marks & kImport) != 0) score *= 0.5;
  if (hit.words < 3) score *= 0.2;                                   // "break;" tells nothing
  if ((hit.meaning.marks & ~lens.marks & kDebt) != 0) score *= 0.3;  // the critic's
  if ((hit.meaning.marks & kDefinition) != 0) score *= 1.3;
  return score * kind_factor(lens, file.kind);
}

/// Everything a lens could cite, best first; where no term stands, only what frames it.
std::vector<Scored> weigh(const Survey& survey, const Lens& lens) {
  const std::vector<double> idf = idf_of(survey);
  std::vector<Scored> all;
  for (std::size_t i = 0; i < survey.found.size() && i < kFiles; ++i) {
    const FileScan& file = survey.found[i];
    for (const Hit& hit : file.hits) {
      all.push_back({&file, hit, false, score_of(idf, lens, file, survey.scores[i], hit)});
    }
    for (const std::uint32_t line : {file.first_line, file.last_line}) {
      if (line == 0) continue;
      all.push_back({&file, {line, {}, 0}, true, 0.001 * kind_factor(lens, file.kind)});
    }
  }
  if (survey.holds_terms()) {
    for (const FileScan& file : survey.frame) {
      // A lens for such files may cite one before it repeats a line of another lens.
      const double score = 0.01 * kind_factor(lens, file.kind);
      all.push_back({&file, {file.first_line, {}, 0}, true, score});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Scored& a, const Scored& b) { return a.score > b.score; });
  return all;
}

Candidate candidate(const Scored& scored) {
  Candidate made;
  made.path = scored.file->path;
  made.line = scored.hit.line;
  made.terms = scored.hit.meaning.terms;
  made.kind = scored.file->kind;
  made.marks = scored.hit.meaning.marks;
  made.context = scored.context;
  return made;
}

/// Lines by what they are marked with, in all files with a term.
std::array<std::uint32_t, 256> marked_lines(const Survey& survey) {
  std::array<std::uint32_t, 256> lines{};
  for (const FileScan& file : survey.found) {
    for (const Hit& hit : file.hits) ++lines[hit.meaning.marks];
  }
  return lines;
}

/// What each file is worth to a lens: all its lines, or its best one for the lens that looks past
/// the usual place.
std::map<std::string_view, double> worth_of_files(const Lens& lens,
                                                  const std::vector<Scored>& all) {
  std::map<std::string_view, double> worth;
  for (const Scored& one : all) {
    if (one.context) continue;
    double& value = worth[one.file->path];
    value = lens.rare ? std::max(value, one.score) : value + one.score;
  }
  return worth;
}

void describe(const Survey& survey, const Lens& lens, const std::vector<Scored>& all,
              LensView& view) {
  const auto worth = worth_of_files(lens, all);
  const std::size_t first = lens.rare && survey.found.size() > 1 ? 1 : 0;
  double most = 0;
  for (std::size_t i = first; i < survey.found.size() && i < kFiles; ++i) {
    const FileScan& file = survey.found[i];
    const auto value = worth.find(file.path);
    if (value == worth.end() || value->second <= most) continue;
    most = value->second;
    view.main_file = file.path;
    view.main_lines = file.term_lines;
  }
  const auto lines = marked_lines(survey);
  for (std::size_t marks = 0; marks < lines.size(); ++marks) {
    if ((marks & lens.marks) != 0) view.marked += lines[marks];
  }
}

/// One lens at a turn takes its best line that nobody has; a file it has already counts less.
class Deal {
 public:
  explicit Deal(const std::vector<Scored>& all) : left_(all) {}

  bool take(std::set<Place>& taken, LensView& view) {
    const Scored* best = nullptr;
    double most = -1;
    for (const Scored& one : left_) {
      if (one.score <= most) break;  // sorted: nothing better follows
      if (taken.count(one.place()) > 0) continue;
      const double score = one.score * (files_.count(one.file->path) > 0 ? 0.4 : 1);
      if (score > most) {
        most = score;
        best = &one;
      }
    }
    if (best == nullptr) return false;
    taken.insert(best->place());
    files_.insert(best->file->path);
    view.candidates.push_back(candidate(*best));
    return true;
  }

  /// Where too little is left for this lens: what others cite, too.
  void share(LensView& view) const {
    for (const Scored& one : left_) {
      if (view.candidates.size() >= 4) return;
      const bool known =
          std::any_of(view.candidates.begin(), view.candidates.end(), [&](const Candidate& mine) {
            return mine.path == one.file->path && mine.line == one.hit.line;
          });
      if (!known) view.candidates.push_back(candidate(one));
    }
  }

 private:
  const std::vector<Scored>& left_;
  std::set<std::string_view> files_;
};

}  // namespace

const Lens& lens_of(std::string_view archetype) {
  for (const Lens& lens : kLenses) {
    if (lens.id == archetype) return lens;
  }
  return kLenses.back();
}

Task<void> assign_views(Survey& survey) {
  std::vector<std::vector<Scored>> all;
  for (const Lens& lens : kLenses) {
    all.push_back(weigh(survey, lens));
    co_await yield_turn();
  }
  std::vector<LensView> views(kLenses.size());
  std::vector<Deal> deals(all.begin(), all.end());
  std::set<Place> taken;
  for (std::size_t round = 0; round < kCandidates; ++round) {
    for (std::size_t i = 0; i < kLenses.size(); ++i) deals[i].take(taken, views[i]);
  }
  for (std::size_t i = 0; i < kLenses.size(); ++i) {
    co_await yield_turn();
    deals[i].share(views[i]);
    describe(survey, kLenses[i], all[i], views[i]);
    survey.views.emplace(kLenses[i].id, std::move(views[i]));
  }
}

namespace {

/// Line `number` (1-based) of `content`; empty where there is none.
std::string_view line_of(std::string_view content, std::uint32_t number) {
  for (std::uint32_t i = 1; i < number; ++i) {
    const std::size_t end = content.find('\n');
    if (end == std::string_view::npos) return {};
    content.remove_prefix(end + 1);
  }
  return content.substr(0, content.find('\n'));
}

/// The candidate as it stands in the workspace now, or an empty excerpt.
Citation verify(Workspace& workspace, Vocabulary& vocabulary, const Candidate& candidate) {
  Citation cited{candidate.path,  candidate.line, "",
                 candidate.marks, candidate.kind, candidate.context};
  const auto content = workspace.read(candidate.path);
  if (!content) return cited;
  const std::string_view line = line_of(*content, candidate.line);
  std::uint32_t words = 0;
  std::vector<std::uint32_t> counts(vocabulary.terms().size());
  const Meaning now = vocabulary.read(line, words, counts);
  if ((now.terms & candidate.terms) == candidate.terms) cited.excerpt = excerpt(line);
  return cited;
}

}  // namespace

Task<std::vector<Citation>> quote(Workspace& workspace, std::string question,
                                  std::vector<Candidate> candidates, std::size_t count) {
  Vocabulary vocabulary(question);
  std::vector<Citation> quoted;
  for (const Candidate& candidate : candidates) {
    if (quoted.size() >= count) break;
    Citation cited = verify(workspace, vocabulary, candidate);
    const bool repeated = std::any_of(quoted.begin(), quoted.end(), [&](const Citation& one) {
      return one.excerpt == cited.excerpt;
    });
    if (!cited.excerpt.empty() && !repeated) quoted.push_back(std::move(cited));
    co_await yield_turn();
  }
  co_return quoted;
}

}  // namespace brainstorm::offline
