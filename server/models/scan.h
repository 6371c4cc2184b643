#pragma once
// One file read for the terms of a question, a slice at a time.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/models/terms.h"

namespace brainstorm::offline {

/// What a file is for, told by its path.
enum class FileKind { source, test, bench, docs, ci, manifest, config, other };
FileKind kind_of(std::string_view path);
/// Lock files and minified code: they hold any word and say nothing.
bool is_generated(std::string_view path);

/// A line that holds a term, or a mark in a file that holds one.
struct Hit {
  std::uint32_t line = 0;  // 1-based
  Meaning meaning;
  std::uint32_t words = 0;
};

struct FileScan {
  std::string path;
  FileKind kind = FileKind::other;
  std::uint32_t words = 0;
  std::uint32_t lines = 0;
  std::uint32_t term_lines = 0;       // lines with a term in focus, also those not kept as hits
  std::uint32_t first_line = 0;       // the first one with words, 0: none
  std::uint32_t last_line = 0;        // the last one with words
  std::uint32_t path_terms = 0;       // terms that the path names, as bits
  std::vector<std::uint32_t> counts;  // uses of each term
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines_by_terms;  // bits → lines with them
  std::vector<Hit> hits;                                                // in order
  bool holds(std::uint32_t terms) const;  // any of these, in a line or in the path
};

/// Keeps references to all it is given.
class FileScanner {
 public:
  FileScanner(const std::string& path, std::string_view content, Vocabulary& vocabulary);
  /// Reads about `bytes` more; false when nothing is left.
  bool step(std::size_t bytes);
  FileScan take() { return std::move(scan_); }

 private:
  void read_line(std::string_view line);

  std::string_view rest_;
  Vocabulary& vocabulary_;
  FileScan scan_;
  std::size_t marks_only_ = 0;
};

}  // namespace brainstorm::offline
