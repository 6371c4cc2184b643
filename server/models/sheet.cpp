#include "server/models/sheet.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/prompts/data.h"
#include "protocol/text.h"
#include "server/models/voice.h"

namespace brainstorm::offline {
namespace {

constexpr std::size_t kShownTerms = 3;

/// "a, b and c", with the word before the last one as given.
std::string listed(const std::vector<std::string>& parts, std::string_view before_last) {
  if (parts.empty()) return "the question's words";
  if (parts.size() == 1) return parts.front();
  const std::vector<std::string> first(parts.begin(), parts.end() - 1);
  return text::join(first, ", ") + " " + std::string(before_last) + " " + parts.back();
}

/// The first terms that say what the question is about; verbs of the request where there is nothing
/// else.
std::vector<std::string> names_of(const std::vector<Term>& terms) {
  std::vector<std::string> names;
  for (const bool subject : {true, false}) {
    for (const Term& term : terms) {
      if (term.subject() == subject && names.size() < kShownTerms) names.push_back(term.shown);
    }
    if (!names.empty()) break;
  }
  return names;
}

/// What the sheet speaks of: the terms in focus, or all when nothing was found.
std::vector<std::string> names_of(const Survey& survey) {
  if (!survey.holds_terms()) return names_of(survey.terms);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < survey.terms.size(); ++i) {
    if ((survey.focus >> i & 1) != 0) names.push_back(survey.terms[i].shown);
  }
  return names;
}

/// Words of the subject that no file holds; empty when it was not searched or nothing was found.
std::string missing_of(const Survey& survey) {
  std::vector<std::string> names;
  if (!survey.holds_terms()) return {};
  for (std::size_t i = 0; i < survey.terms.size(); ++i) {
    const Term& term = survey.terms[i];
    if (term.subject() && survey.term_files[i] == 0 && names.size() < kShownTerms) {
      names.push_back(term.shown);
    }
  }
  return names.empty() ? std::string() : listed(names, "and");
}

/// The row of an archetype: as given, else as shipped, else null.
Json row_of(const std::string& archetype, const Json* row) {
  if (row != nullptr && row->is_object()) return *row;
  const auto shipped = json::parse(data::archetypes);
  if (!shipped || !shipped->is_array()) return {};
  for (const Json& one : *shipped) {
    if (json::text_or(one, "id") == archetype) return one;
  }
  return {};
}

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

/// What a cited line is, in a few words.
std::string label(const Lens& lens, const Citation& cited) {
  if (cited.context) return "beside the subject";
  if ((cited.marks & kDebt) != 0) return "an open note";
  switch (cited.kind) {
    case FileKind::test:
      return "a test";
    case FileKind::bench:
      return "a benchmark";
    case FileKind::docs:
      return "documentation";
    case FileKind::ci:
      return "a pipeline";
    case FileKind::manifest:
      return "a build manifest";
    case FileKind::config:
      return "configuration";
    default:
      break;
  }
  if ((cited.marks & lens.marks) == 0) return "names the subject";
  return std::string(lens.theme);
}

std::string nothing_found(const Survey& survey, const std::string& terms) {
  if (!survey.problem.empty())
    return "Nothing was searched for " + terms + ": " + survey.problem + ".";
  return "Searched " + counted(survey.read, "file") + " for " + terms + ", found nothing.";
}

void add_bullets(std::string& out, std::string_view heading,
                 const std::vector<std::string>& points) {
  if (points.empty()) return;
  out += "\n## " + std::string(heading) + "\n\n";
  for (const std::string& point : points) out += "- " + point + "\n";
}

std::vector<std::string> evidence(const Survey& survey, const Lens& lens, const Words& said,
                                  const std::vector<Citation>& cited, const std::string& terms) {
  std::vector<std::string> points;
  for (const Citation& one : cited) {
    points.push_back("`" + one.place() + "`: `" + one.excerpt + "` (" + label(lens, one) + ")");
  }
  if (!said.figure.empty()) points.push_back(said.figure);
  if (!survey.holds_terms()) points.push_back(nothing_found(survey, terms));
  return points;
}

std::vector<std::string> blind_spots(const Survey& survey, const Words& said, const Json& row,
                                     const std::vector<std::string>& questions) {
  std::vector<std::string> points;
  const std::string bias = text::one_line(json::text_or(row, "bias"));
  points.push_back(bias.empty() ? "The bias of this lens is not described." : bias);
  for (const std::string& question : questions) points.push_back("Unanswered: " + question);
  points.insert(points.end(), said.unknown.begin(), said.unknown.end());
  if (!survey.limit.empty()) {
    points.push_back("Read " + std::to_string(survey.read) + " of " +
                     counted(survey.listed, "file") + ", then stopped (" + survey.limit + ").");
  }
  return points;
}

/// A build file to name beside the finds; empty when there is none.
std::string frame_place(const Survey& survey) {
  const auto named = [](const FileScan& file) {
    return "`" + file.path + ":" + std::to_string(std::max(file.first_line, 1U)) + "`";
  };
  for (const auto* files : {&survey.found, &survey.frame}) {
    for (const FileScan& file : *files) {
      if (file.kind == FileKind::manifest) return named(file);
    }
  }
  return {};
}

}  // namespace

std::string shown_terms(const std::string& question) {
  return listed(names_of(Vocabulary(question).terms()), "and");
}

std::vector<std::string> open_questions(const std::string& archetype, const Json* row,
                                        const std::string& terms) {
  std::vector<std::string> questions;
  const Json known = row_of(archetype, row);
  const Json* asks = json::find(known, "asks");
  if (asks == nullptr || !asks->is_array()) return questions;
  for (const Json& ask : *asks) {
    if (!ask.is_string() || questions.size() >= 2) continue;
    std::string question = text::shorten(text::one_line(ask.get<std::string>()), 200);
    while (!question.empty() && (question.back() == '?' || question.back() == '.')) {
      question.pop_back();
    }
    questions.push_back(question + ", with " + terms + " in view?");
  }
  return questions;
}

std::string perspective_sheet(const Survey& survey, const std::vector<Citation>& cited,
                              const std::string& archetype, const Json* row) {
  const Json known = row_of(archetype, row);
  const Lens& lens = lens_of(archetype);
  static const LensView empty;
  const auto view = survey.views.find(lens.id);
  const auto names = names_of(survey);
  const Facts facts{survey,
                    view == survey.views.end() ? empty : view->second,
                    listed(names, "and"),
                    listed(names, "or"),
                    missing_of(survey),
                    frame_place(survey)};
  Words said = survey.holds_terms() ? say_found(lens.id, facts) : say_nothing_found(lens.id, facts);
  const std::string theme = lens.id.empty() ? archetype : std::string(lens.theme);
  if (!facts.view.main_file.empty()) {
    // Other lenses say the same of other files, or of this one: that is where they agree.
    said.further.insert(
        said.further.begin(),
        "Much of this comes together in `" + base_name(facts.view.main_file) + "`: " + theme + ".");
  }
  const bool grounded = std::count_if(cited.begin(), cited.end(),
                                      [](const Citation& one) { return !one.context; }) >= 2;
  std::string out = std::string(kMarkLine) + "\n\n## Key insight\n\n" + said.key + "\n";
  add_bullets(out, "Further insights", said.further);
  add_bullets(out, "Supporting evidence", evidence(survey, lens, said, cited, facts.terms));
  out += "\n## Confidence\n\n";
  out += grounded ? "2/5: places were found (" + theme + "), nothing was judged.\n"
                  : "1/5: too little was found (" + theme + ") to lean on.\n";
  add_bullets(out, "Blind spots",
              blind_spots(survey, said, known, open_questions(archetype, &known, facts.terms)));
  return out;
}

}  // namespace brainstorm::offline
