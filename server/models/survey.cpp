#include "server/models/survey.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "commands/task.h"
#include "protocol/text.h"
#include "server/models/lens.h"

namespace brainstorm::offline {
namespace {

constexpr std::size_t kStep = std::size_t{16} << 10;  // bytes between two looks at the clock
constexpr std::size_t kSlice = std::size_t{512}
                               << 10;  // bytes of one slice, whatever the clock says
constexpr Millis kSliceTime{3};
constexpr std::size_t kFrame = 20;
constexpr std::size_t kEntries = 8;

bool is_frame(FileKind kind) {
  return kind == FileKind::manifest || kind == FileKind::ci || kind == FileKind::config;
}

/// Other people's code and what builds leave behind come last: the walk may end early.
bool is_foreign(std::string_view path) {
  constexpr std::string_view places[] = {"node_modules/", "vendor/", "third_party/",
                                         "build/",        "dist/",   "external/"};
  for (const std::string_view place : places) {
    if (path.substr(0, place.size()) == place) return true;
    if (path.find("/" + std::string(place)) != std::string_view::npos) return true;
  }
  return false;
}

/// The terms that are used much here, but not everywhere. Verbs of the request only where nothing
/// of the subject was found.
std::uint32_t choose_focus(const Survey& survey) {
  constexpr std::size_t most = 3;
  std::vector<double> uses(survey.terms.size());
  for (const FileScan& file : survey.found) {
    for (std::size_t i = 0; i < uses.size(); ++i) uses[i] += file.counts[i];
  }
  std::vector<std::pair<double, std::size_t>> order;  // negative: the most telling first
  for (const bool subject : {true, false}) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (survey.terms[i].subject() != subject || uses[i] == 0) continue;
      const double idf =
          std::log(1 + static_cast<double>(survey.read) / (survey.term_files[i] + 0.5));
      order.emplace_back(-idf * std::log(1 + uses[i]), i);
    }
    if (!order.empty()) break;
  }
  std::sort(order.begin(), order.end());
  std::uint32_t focus = 0;
  for (std::size_t k = 0; k < order.size() && k < most; ++k) {
    focus |= std::uint32_t{1} << order[k].second;
  }
  return focus;
}

/// Leaves in `found` what holds a term in focus.
void apply_focus(Survey& survey) {
  survey.focus = choose_focus(survey);
  std::vector<FileScan> kept;
  for (FileScan& file : survey.found) {
    if (!file.holds(survey.focus)) {
      if (is_frame(file.kind) && file.first_line > 0) survey.frame.push_back(std::move(file));
      continue;
    }
    for (const auto& [terms, lines] : file.lines_by_terms) {
      if ((terms & survey.focus) != 0) file.term_lines += lines;
    }
    for (Hit& hit : file.hits) {
      if ((hit.meaning.terms & survey.focus) == 0) hit.meaning.terms = 0;
    }
    kept.push_back(std::move(file));
  }
  survey.found = std::move(kept);
  std::sort(survey.frame.begin(), survey.frame.end(),
            [](const FileScan& a, const FileScan& b) { return a.path < b.path; });
  if (survey.frame.size() > kFrame) survey.frame.resize(kFrame);
}

/// Okapi BM25 of each file, by its counts of terms.
std::vector<double> bm25(const Survey& survey, double mean_words) {
  constexpr double k1 = 1.2;
  constexpr double b = 0.75;
  std::vector<double> idf;
  for (const std::uint32_t holding : survey.term_files) {
    const double n = holding;
    idf.push_back(std::log(1 + (static_cast<double>(survey.read) - n + 0.5) / (n + 0.5)));
  }
  std::vector<double> scores;
  for (const FileScan& file : survey.found) {
    const double length = 1 - b + b * file.words / std::max(mean_words, 1.0);
    double score = 0;
    for (std::size_t i = 0; i < file.counts.size(); ++i) {
      const double uses = file.counts[i];
      score += survey.terms[i].weight * idf[i] * uses * (k1 + 1) / (uses + k1 * length);
    }
    scores.push_back(score);
  }
  return scores;
}

/// Best first, ties by path; scores relative to the best.
void rank(Survey& survey, double mean_words) {
  const std::vector<double> scores = bm25(survey, mean_words);
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (scores[a] != scores[b]) return scores[a] > scores[b];
    return survey.found[a].path < survey.found[b].path;
  });
  std::vector<FileScan> sorted;
  sorted.reserve(order.size());
  const double best = order.empty() ? 1 : std::max(scores[order.front()], 1e-9);
  for (const std::size_t i : order) {
    sorted.push_back(std::move(survey.found[i]));
    survey.scores.push_back(scores[i] / best);
  }
  survey.found = std::move(sorted);
}

}  // namespace

std::uint32_t Survey::term_lines() const {
  std::uint32_t sum = 0;
  for (const FileScan& file : found) sum += file.term_lines;
  return sum;
}

std::size_t Survey::found_of(FileKind kind) const {
  return static_cast<std::size_t>(std::count_if(
      found.begin(), found.end(), [&](const FileScan& file) { return file.kind == kind; }));
}

struct Surveyor::Entry {
  explicit Entry(const asio::any_io_executor& executor) : changed(executor) {}
  Signal changed;  // set while nobody reads
  bool reading = false;
  Millis made{0};
  std::shared_ptr<const Survey> survey;
};

/// The right to read for an entry; given back also when the reader is cancelled, so that one who
/// waits goes on instead.
struct Surveyor::Turn {
  explicit Turn(std::shared_ptr<Entry> taken) : entry(std::move(taken)) {
    entry->reading = true;
    entry->changed.reset();
  }
  ~Turn() {
    entry->reading = false;
    entry->changed.set();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  std::shared_ptr<Entry> entry;
};

/// A walk under way.
struct Surveyor::Reading {
  Reading(Workspace& from, const std::string& question, Clock& with, Millis limit)
      : workspace(from),
        vocabulary(question),
        clock(with),
        slice_began(with.monotonic()),
        ends(slice_began + limit) {}
  /// True when others should get their turn before more is done.
  bool due(std::size_t read) {
    slice += read;
    return slice >= kSlice || clock.monotonic() - slice_began >= kSliceTime;
  }
  void resume() {
    slice = 0;
    slice_began = clock.monotonic();
  }
  bool late() const { return clock.monotonic() >= ends; }

  Workspace& workspace;
  Vocabulary vocabulary;
  Clock& clock;
  Millis slice_began;
  Millis ends;
  std::size_t slice = 0;
  std::size_t bytes = 0;
  double words = 0;
  std::vector<std::string> paths;
  Survey survey;
};

std::shared_ptr<Surveyor::Entry> Surveyor::entry(const Key& key) {
  const Millis now = clock_.monotonic();
  std::erase_if(entries_, [&](const auto& one) {
    return !one.second->reading && now - one.second->made >= limits_.kept;
  });
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : found->second;
}

Task<std::shared_ptr<const Survey>> Surveyor::survey(Workspace* workspace, std::string question) {
  const Key key{workspace, question};
  auto executor = co_await asio::this_coro::executor;
  std::shared_ptr<Entry> mine = entry(key);
  if (!mine) {
    if (entries_.size() >= kEntries) entries_.clear();
    mine = std::make_shared<Entry>(executor);
    entries_[key] = mine;
  }
  while (mine->reading) co_await mine->changed.wait();
  if (mine->survey) co_return mine->survey;
  const Turn turn(mine);
  std::shared_ptr<const Survey> made = co_await make(workspace, question);
  mine->survey = made;
  mine->made = clock_.monotonic();
  co_return made;
}

Task<std::shared_ptr<const Survey>> Surveyor::make(Workspace* workspace, std::string question) {
  auto made = std::make_shared<Survey>();
  if (workspace == nullptr) {
    made->terms = Vocabulary(question).terms();
    made->problem = "no workspace folder was given";
    co_return made;
  }
  Reading reading(*workspace, question, clock_, limits_.time);
  reading.survey.terms = reading.vocabulary.terms();
  reading.survey.term_files.resize(reading.survey.terms.size());
  auto listing = co_await workspace->list();
  if (!listing) {
    reading.survey.problem = text::shorten(text::one_line(listing.error().message), 160);
  } else {
    reading.survey.listed = listing->paths.size();
    if (listing->truncated) reading.survey.limit = "the listing's own limit";
    auto paths = std::move(listing->paths);
    co_await order(reading, std::move(paths));
    co_await read_all(reading);
  }
  co_await yield_turn();
  apply_focus(reading.survey);
  co_await yield_turn();
  rank(reading.survey,
       reading.words / std::max<double>(static_cast<double>(reading.survey.read), 1));
  co_await yield_turn();
  co_await assign_views(reading.survey);
  *made = std::move(reading.survey);
  co_await yield_turn();  // what was read is freed in a slice of its own
  co_return made;
}

/// Paths that name a term first, other people's code last; otherwise as listed.
Task<void> Surveyor::order(Reading& reading, std::vector<std::string> paths) {
  std::vector<std::string> named;
  std::vector<std::string> foreign;
  std::vector<std::uint32_t> counts(reading.vocabulary.terms().size());
  std::uint32_t words = 0;
  for (std::string& path : paths) {
    if (reading.due(path.size())) {
      co_await yield_turn();
      reading.resume();
    }
    if (!citable(path) || is_generated(path)) continue;
    if (is_foreign(path)) {
      foreign.push_back(std::move(path));
    } else if (reading.vocabulary.read(path, words, counts).terms != 0) {
      named.push_back(std::move(path));
    } else {
      reading.paths.push_back(std::move(path));
    }
  }
  reading.paths.insert(reading.paths.begin(), std::make_move_iterator(named.begin()),
                       std::make_move_iterator(named.end()));
  reading.paths.insert(reading.paths.end(), std::make_move_iterator(foreign.begin()),
                       std::make_move_iterator(foreign.end()));
}

Task<void> Surveyor::read_all(Reading& reading) {
  Survey& survey = reading.survey;
  for (const std::string& path : reading.paths) {
    if (survey.read >= limits_.files) {
      survey.limit = std::to_string(limits_.files) + " files";
      co_return;
    }
    if (reading.bytes >= limits_.bytes) {
      survey.limit = std::to_string(limits_.bytes >> 20) + " MiB";
      co_return;
    }
    if (reading.late()) {
      survey.limit = std::to_string(limits_.time.count() / 1000) + " s";
      co_return;
    }
    co_await read_file(reading, path);
  }
}

Task<void> Surveyor::read_file(Reading& reading, std::string path) {
  const auto content = reading.workspace.read(path);
  if (reading.due(content ? content->size() / 8 : 0)) {
    co_await yield_turn();
    reading.resume();
  }
  if (!content) co_return;  // binary, too large, gone: the port says why, the sheet need not
  Survey& survey = reading.survey;
  ++survey.read;
  reading.bytes += content->size();
  FileScanner scanner(path, *content, reading.vocabulary);
  while (scanner.step(kStep)) {
    if (!reading.due(kStep)) continue;
    co_await yield_turn();
    reading.resume();
  }
  FileScan scan = scanner.take();
  reading.words += scan.words;
  if (!scan.holds(~std::uint32_t{0})) {
    if (is_frame(scan.kind) && scan.first_line > 0 && survey.frame.size() < kFrame) {
      survey.frame.push_back(std::move(scan));
    }
    co_return;
  }
  for (std::size_t i = 0; i < scan.counts.size(); ++i) {
    if (scan.counts[i] > 0) ++survey.term_files[i];
  }
  survey.found.push_back(std::move(scan));
}

}  // namespace brainstorm::offline
