#include "server/models/voice.h"

namespace brainstorm::offline {
namespace {

std::string ticked(std::string_view path) { return "`" + std::string(path) + "`"; }

std::string main_place(const Facts& facts) {
  const std::string& path = facts.view.main_file;
  return ticked(path.empty() ? facts.survey.found.front().path : path);
}

std::size_t files(const Facts& facts) { return facts.survey.found.size(); }

Words optimist(const Facts& f) {
  Words said;
  said.key = "The most important opportunity is to start from working pieces: " + main_place(f) +
             " already holds " + counted(f.view.main_lines, "line") + " on " + f.terms + ".";
  if (f.view.marked > 0) {
    said.key += " " + counted(f.view.marked, "line") + " nearby mark a place made to be extended.";
  }
  said.further.push_back("An improvement to " + f.terms + " would be felt in " +
                         counted(files(f), "file") + ".");
  said.figure = counted(files(f), "file") + " of " + std::to_string(f.survey.read) + " read name " +
                f.any + ", which is the reach of anything gained.";
  said.unknown = {"Whether these pieces are good enough to build on was not tried.",
                  "Rule: a line counts as a piece to build on when it stands in such a file and "
                  "names an interface, hook, export or feature."};
  return said;
}

Words critic(const Facts& f) {
  Words said;
  if (f.view.marked > 0) {
    said.key = "The most important risk is to lose a case: " + counted(f.view.marked, "line") +
               " around " + f.terms + " handle failure or carry an open note, above all in " +
               main_place(f) + ". A change has to keep or settle each of them.";
  } else {
    said.key = "The most important risk is silence: no line near " + f.any +
               " handles an error or carries an open note. How " + main_place(f) +
               " fails is written down nowhere that was read.";
  }
  const std::size_t tests = f.survey.found_of(FileKind::test);
  if (tests == 0) {
    said.further.push_back(
        "A mistake would reach people before it reaches a test: no test file "
        "speaks of " +
        f.terms + ".");
  } else {
    said.further.push_back(
        "What the tests leave out is unguarded: " + counted(tests, "test file") + " against " +
        counted(f.survey.found_of(FileKind::source), "source file") + " on " + f.terms + ".");
  }
  said.figure = counted(f.view.marked, "line") +
                " with error handling, checks or open notes in files on the subject.";
  said.unknown = {
      "Failures that left no trace in the code, such as incidents and complaints, are "
      "not counted.",
      "Rule: a line counts as a risk when it stands in a file that names a term and "
      "carries TODO, FIXME, an error, an exception or an assertion."};
  return said;
}

Words analyst(const Facts& f) {
  const Survey& s = f.survey;
  Words said;
  const std::size_t measured = s.found_of(FileKind::bench);
  said.key = "The evidence so far is a count: " + counted(s.term_lines(), "line") + " in " +
             counted(files(f), "file") + " name " + f.any + ", of them " +
             counted(s.found_of(FileKind::source), "source file") + ", " +
             counted(s.found_of(FileKind::test), "test file") + " and " +
             counted(s.found_of(FileKind::docs), "document") + ".";
  said.key += measured == 0 ? " No benchmark file names them, so their cost is unmeasured here."
                            : " " + counted(measured, "benchmark file") + " can give a baseline.";
  const std::uint32_t first = s.found.front().term_lines;
  const std::uint32_t all = s.term_lines();
  if (all > 0) {
    said.further.push_back("Concentration is measurable: " + ticked(s.found.front().path) +
                           " alone has " + std::to_string(first * 100 / all) +
                           " % of those lines.");
  }
  if (!f.missing.empty()) {
    said.further.push_back("Absent from every file read: " + f.missing +
                           "; a comparison needs outside data.");
  }
  said.figure =
      counted(f.view.marked, "line") + " in those files mention a test, size, time or count.";
  said.unknown = {"Counts tell how much is written, not how often it runs or how well it works.",
                  "Rule: a line counts when a word of it has the same stem as a word of the "
                  "question; identifiers count by their parts."};
  return said;
}

Words innovator(const Facts& f) {
  Words said;
  if (files(f) == 1) {
    said.key = "An unconventional approach is to do without " + f.terms + ": " + main_place(f) +
               " is the only place, so the loss can be tried there.";
  } else {
    said.key = "An unconventional approach is to begin at the edge: " + main_place(f) + " meets " +
               f.terms +
               " in other surroundings than the usual place. What is done "
               "there could be tried as the general way.";
  }
  said.further.push_back("Turned round: what would " + counted(files(f), "file") +
                         " look like if nothing had to be done about " + f.terms + " at all?");
  said.figure = counted(f.view.marked, "line") +
                " in reach speak of an alternative, a fallback, a prototype or something old.";
  said.unknown = {"Whether an idea carries over from one place to another is a guess until tried.",
                  "Rule: files that rank low for the question's words are looked at first, and "
                  "lines that name another way."};
  if (!f.missing.empty()) {
    said.unknown.insert(said.unknown.begin(),
                        "No file knows " + f.missing + ": that side of the idea is imagination.");
  }
  return said;
}

Words pragmatist(const Facts& f) {
  Words said;
  said.key = "The key implementation reality is reach: " + counted(files(f), "file") +
             " would have to be read before a change to " + f.terms +
             ", and the smallest step starts in " + main_place(f) + ".";
  if (!f.frame.empty()) {
    said.key += " Whatever is chosen has to pass the build described by " + f.frame + ".";
  }
  const std::size_t upkeep = f.survey.found_of(FileKind::manifest) +
                             f.survey.found_of(FileKind::ci) + f.survey.found_of(FileKind::config);
  said.further.push_back(
      upkeep == 0 ? "Operations are untouched as far as files tell: no manifest, pipeline or "
                    "configuration mentions " +
                        f.terms + "."
                  : "Operations are involved: " +
                        counted(upkeep, "manifest, pipeline or configuration file") +
                        " to keep in step with " + f.terms + ".");
  said.figure = counted(f.survey.term_lines(), "line") + " to look through, at most " +
                counted(f.view.main_lines, "line") + " of them in the first file.";
  said.unknown = {"Time, people and deadlines stand in no file and were not asked for.",
                  "Rule: effort is taken as the number of files and lines that name a term, and "
                  "build, pipeline and configuration files come first."};
  return said;
}

Words general(const Facts& f) {
  Words said;
  said.key = "For this lens the first place to look is " + main_place(f) + ", with " +
             counted(f.view.main_lines, "line") + " on " + f.terms + ".";
  said.further.push_back("The subject spreads over " + counted(files(f), "file") + ".");
  said.figure = counted(f.survey.term_lines(), "line") + " in all bear on " + f.terms + ".";
  said.unknown = {"What these places mean for this lens was not judged.",
                  "Rule: lines are ranked by the question's words alone."};
  return said;
}

/// "none of the 12 files read names parser", for the middle of a sentence.
std::string absence(const Facts& f) {
  if (!f.survey.problem.empty()) return "no file could be searched for " + f.any;
  if (f.survey.read == 0) return "no file is there to read about " + f.any;
  return "none of the " + counted(f.survey.read, "file") + " read names " + f.any;
}

}  // namespace

std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

Words say_found(std::string_view lens, const Facts& facts) {
  if (lens == "optimist") return optimist(facts);
  if (lens == "critic") return critic(facts);
  if (lens == "analyst") return analyst(facts);
  if (lens == "innovator") return innovator(facts);
  if (lens == "pragmatist") return pragmatist(facts);
  return general(facts);
}

Words say_nothing_found(std::string_view lens, const Facts& facts) {
  const std::string none = absence(facts);
  if (lens == "optimist") {
    return {"The most important opportunity is an open field: " + none +
                ", so nothing that exists has to be kept.",
            {"A first version sets the terms that later ones follow."},
            "",
            {"Whether others already profit from such a thing was not looked up.",
             "Rule: what no file names is taken as not begun."}};
  }
  if (lens == "critic") {
    return {"The most important risk is the unexamined: " + none +
                ", so no guard and no test covers what is asked about.",
            {"An assumption that nobody wrote down cannot be checked by anybody."},
            "",
            {"The subject may be there under other words, which this search cannot know.",
             "Rule: what no file names is taken as unguarded."}};
  }
  if (lens == "analyst") {
    return {"The evidence base is empty: " + none + ". Every figure has to come from elsewhere.",
            {"One measured example would weigh more than any estimate."},
            "",
            {"How large, slow or costly the present state is remains unmeasured.",
             "Rule: only words with the same stem as the question's count as evidence."}};
  }
  if (lens == "innovator") {
    return {"An unconventional approach costs little extra here: " + none +
                ", and without a habit there is none to break.",
            {"A field that solved something similar long ago may lend its way of doing it."},
            "",
            {"No analogy was looked up; only this folder was.",
             "Rule: an absent subject counts as free of habits."}};
  }
  if (lens == "pragmatist") {
    return {"The key implementation reality is a start from zero: " + none +
                ", so nothing builds, tests or configures it yet.",
            {"The smallest useful step is a trial that can be thrown away."},
            "",
            {"Time, people and skills stand in no file and were not asked for.",
             "Rule: what no file names is taken as still to be built."}};
  }
  return {"For this lens there is nothing to start from: " + none + ".",
          {},
          "",
          {"What the subject means for this lens was not judged.",
           "Rule: lines are ranked by the question's words alone."}};
}

}  // namespace brainstorm::offline
