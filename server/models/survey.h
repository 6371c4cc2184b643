#pragma once
// A workspace read once for a question: which files hold its terms, and where. All sheets of a run
// share one survey.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands/ports.h"
#include "commands/task_fwd.h"
#include "server/models/scan.h"

namespace brainstorm::offline {

/// A line to look at, before it was read again.
struct Candidate {
  std::string path;
  std::uint32_t line = 0;
  std::uint32_t terms = 0;  // bits that the line must still hold when it is quoted
  FileKind kind = FileKind::other;
  std::uint8_t marks = 0;
  bool context = false;  // holds no term: it only shows what stands beside one
};

/// What one lens finds: disjoint from what the others take, as far as there is enough.
struct LensView {
  std::vector<Candidate> candidates;  // best first
  std::string main_file;              // where this lens finds most; empty: nowhere
  std::uint32_t main_lines = 0;       // lines there that hold a term
  std::uint32_t marked = 0;           // lines that carry this lens's marks, in files with a term
};

struct Survey {
  std::vector<Term> terms;
  std::vector<std::uint32_t> term_files;  // files with each term
  std::uint32_t focus = 0;  // bits of the up to three terms that tell most about the subject here
  std::size_t read = 0;     // files
  std::size_t listed = 0;
  std::string limit;    // why not all were read: "20000 files", "64 MiB", "2 s"; empty: all were
  std::string problem;  // why nothing could be searched; empty: it was
  std::vector<FileScan> found;  // files with a term in focus, best first (BM25)
  std::vector<double> scores;   // of found, the first is 1
  std::vector<FileScan> frame;  // build, CI and configuration files without one, by path; ≤ 20
  std::map<std::string, LensView, std::less<>> views;  // by lens

  bool holds_terms() const { return !found.empty(); }
  std::uint32_t term_lines() const;
  std::size_t found_of(FileKind kind) const;
};

/// What the walk may take; the defaults are the documented ones.
struct SurveyLimits {
  std::size_t files = 20'000;
  std::size_t bytes = std::size_t{64} << 20;
  Millis time = std::chrono::seconds(2);
  Millis kept = std::chrono::seconds(30);  // how long a survey may serve later sheets
};

class Surveyor {
 public:
  explicit Surveyor(Clock& clock, SurveyLimits limits = {}) : clock_(clock), limits_(limits) {}

  /// `workspace` may be null. Never fails: what went wrong is in `problem`. Whoever asks while
  /// another reads the same workspace for the same question waits for that result.
  Task<std::shared_ptr<const Survey>> survey(Workspace* workspace, std::string question);

 private:
  struct Entry;
  struct Turn;
  struct Reading;
  using Key = std::pair<Workspace*, std::string>;

  std::shared_ptr<Entry> entry(const Key& key);
  Task<std::shared_ptr<const Survey>> make(Workspace* workspace, std::string question);
  Task<void> order(Reading& reading, std::vector<std::string> paths);
  Task<void> read_all(Reading& reading);
  Task<void> read_file(Reading& reading, std::string path);

  Clock& clock_;
  SurveyLimits limits_;
  std::map<Key, std::shared_ptr<Entry>> entries_;
};

}  // namespace brainstorm::offline
