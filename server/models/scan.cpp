#include "server/models/scan.h"

#include <algorithm>
#include <array>

#include "protocol/text.h"

namespace brainstorm::offline {
namespace {

constexpr std::size_t kHits = 64;       // kept of one file
constexpr std::size_t kMarksOnly = 16;  // of them without a term

constexpr std::array<std::string_view, 24> kManifests = {
    "package.json", "cmakelists.txt", "go.mod",           "cargo.toml",    "pyproject.toml",
    "setup.py",     "setup.cfg",      "gemfile",          "pom.xml",       "build.gradle",
    "makefile",     "meson.build",    "build.gradle.kts", "composer.json", "requirements.txt",
    "vcpkg.json",   "conanfile.txt",  "mix.exs",          "pubspec.yaml",  "build.zig",
    "dockerfile",   "deno.json",      "flake.nix",        "configure.ac"};
constexpr std::array<std::string_view, 8> kLocks = {
    "package-lock.json", "yarn.lock",    "pnpm-lock.yaml", "cargo.lock", "go.sum",
    "poetry.lock",       "gemfile.lock", "composer.lock"};
constexpr std::array<std::string_view, 7> kConfigs = {"yaml", "yml",  "toml", "ini",
                                                      "cfg",  "conf", "json"};
constexpr std::array<std::string_view, 5> kDocs = {"md", "rst", "adoc", "txt", "org"};
constexpr std::array<std::string_view, 40> kSources = {
    "c",   "h",     "cc", "cpp", "cxx",   "hpp", "hh",  "ipp",  "rs",  "go",
    "py",  "js",    "ts", "jsx", "tsx",   "mjs", "cjs", "java", "kt",  "scala",
    "rb",  "php",   "cs", "fs",  "swift", "m",   "mm",  "lua",  "pl",  "sh",
    "sql", "proto", "ex", "erl", "hs",    "ml",  "clj", "zig",  "vue", "svelte"};

template <std::size_t N>
bool one_of(const std::array<std::string_view, N>& list, std::string_view value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The directories and the name of a path hold `part` between separators ('/', '_', '-', '.').
bool has_part(std::string_view path, std::string_view part) {
  constexpr std::string_view separators = "/_-.";
  for (std::size_t at = path.find(part); at != std::string_view::npos;
       at = path.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    const bool begins = at == 0 || separators.find(path[at - 1]) != std::string_view::npos;
    const bool ends = end == path.size() || separators.find(path[end]) != std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}

std::string_view name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

FileKind kind_of(std::string_view full) {
  const std::string path = text::lower_ascii(full);
  const std::string_view name = name_of(path);
  const std::size_t point = name.rfind('.');
  const std::string_view extension =
      point == std::string_view::npos ? std::string_view() : name.substr(point + 1);
  if (one_of(kManifests, name)) return FileKind::manifest;
  if (path.rfind(".github/workflows/", 0) == 0 || has_part(path, "ci") || name == "jenkinsfile" ||
      has_part(name, "pipelines")) {
    return FileKind::ci;
  }
  if (has_part(path, "bench") || has_part(path, "benchmark") || has_part(path, "benchmarks") ||
      has_part(path, "perf")) {
    return FileKind::bench;
  }
  if (has_part(path, "test") || has_part(path, "tests") || has_part(path, "spec") ||
      has_part(path, "specs") || has_part(path, "__tests__")) {
    return FileKind::test;
  }
  if (one_of(kDocs, extension) || name == "readme" || name == "changelog") return FileKind::docs;
  if (one_of(kConfigs, extension)) return FileKind::config;
  return one_of(kSources, extension) ? FileKind::source : FileKind::other;
}

bool is_generated(std::string_view path) {
  const std::string name = text::lower_ascii(name_of(path));
  return one_of(kLocks, name) || name.find(".min.") != std::string::npos;
}

bool FileScan::holds(std::uint32_t terms) const {
  if ((path_terms & terms) != 0) return true;
  return std::any_of(lines_by_terms.begin(), lines_by_terms.end(),
                     [&](const auto& one) { return (one.first & terms) != 0; });
}

FileScanner::FileScanner(const std::string& path, std::string_view content, Vocabulary& vocabulary)
    : rest_(content), vocabulary_(vocabulary) {
  scan_.path = path;
  scan_.kind = kind_of(path);
  scan_.counts.resize(vocabulary.terms().size());
  scan_.path_terms = vocabulary.read(path, scan_.words, scan_.counts).terms;
}

bool FileScanner::step(std::size_t bytes) {
  const std::size_t goal = rest_.size() > bytes ? rest_.size() - bytes : 0;
  while (rest_.size() > goal) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    read_line(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
  }
  return !rest_.empty();
}

void FileScanner::read_line(std::string_view line) {
  ++scan_.lines;
  const std::uint32_t before = scan_.words;
  const Meaning meaning = vocabulary_.read(line, scan_.words, scan_.counts);
  if (scan_.words - before >= 2) {
    if (scan_.first_line == 0) scan_.first_line = scan_.lines;
    scan_.last_line = scan_.lines;
  }
  if (meaning.terms != 0) {
    auto& all = scan_.lines_by_terms;
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const auto& one) { return one.first == meaning.terms; });
    if (same != all.end()) {
      ++same->second;
    } else {
      all.emplace_back(meaning.terms, 1);
    }
  }
  const std::uint8_t interesting =
      static_cast<std::uint8_t>(meaning.marks & ~(kDefinition | kImport));
  if (meaning.terms == 0 && (interesting == 0 || marks_only_ >= kMarksOnly)) return;
  if (scan_.hits.size() >= kHits) return;
  if (meaning.terms == 0) ++marks_only_;
  scan_.hits.push_back({scan_.lines, meaning, scan_.words - before});
}

}  // namespace brainstorm::offline
