#include "server/cli/prompt.h"

#include <doctest/doctest.h>

using namespace brainstorm;
using namespace brainstorm::cli;

namespace {

Decision review() {
  Decision decision;
  decision.id = "review-1";
  decision.kind = "review";
  decision.prompt = "The synthesis is ready.\nWhat now?";
  decision.options = {{"accept", "Accept"}, {"refine", "Refine…"}, {"abort", "Abandon"}};
  Field text;
  text.id = "text";
  text.label = "What to change";
  text.required = true;
  Field about;
  about.id = "about";
  decision.fields = {text, about};
  return decision;
}

}  // namespace

TEST_CASE("a decision is shown with numbered choices") {
  CHECK(question_lines(review()) ==
        std::vector<std::string>{"The synthesis is ready.", "What now?", "  1  Accept",
                                 "  2  Refine…", "  3  Abandon",
                                 "  Enter alone leaves it open for later."});
}

TEST_CASE("what is typed becomes a choice, later, or a question asked again") {
  struct Case {
    const char* line;
    Typed::Meaning meaning;
    const char* choice;
  };
  const Case cases[] = {
      {"1", Typed::Meaning::choice, "accept"},
      {" 2 \r", Typed::Meaning::choice, "refine"},
      {"accept", Typed::Meaning::choice, "accept"},
      {"ACCEPT", Typed::Meaning::choice, "accept"},
      {"ref", Typed::Meaning::choice, "refine"},
      {"aban", Typed::Meaning::choice, "abort"},
      {"", Typed::Meaning::later, ""},
      {"   ", Typed::Meaning::later, ""},
      {"later", Typed::Meaning::later, ""},
      {"a", Typed::Meaning::unclear, ""},
      {"0", Typed::Meaning::unclear, ""},
      {"4", Typed::Meaning::unclear, ""},
      {"99999999999999999999999999", Typed::Meaning::unclear, ""},
      {"-1", Typed::Meaning::unclear, ""},
      {"yes", Typed::Meaning::unclear, ""},
      {"\x1b[A", Typed::Meaning::unclear, ""},
      {"\xff\xfe", Typed::Meaning::unclear, ""},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.line));
    const auto typed = read_answer(review(), one.line);
    CHECK(typed.meaning == one.meaning);
    CHECK(typed.choice == one.choice);
  }
}

TEST_CASE("only the fields that a choice needs are asked for") {
  CHECK(fields_of(review(), "accept").empty());
  const auto fields = fields_of(review(), "refine");
  REQUIRE(fields.size() == 1);
  CHECK(fields[0].id == "text");
}
