#include "commands/swarm/framing.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/convergence/words.h"
#include "commands/prompts/data.h"
#include "commands/swarm/archetypes.h"
#include "commands/swarm/prompts.h"
#include "protocol/text.h"

namespace brainstorm {
namespace {

const Json& word_lists() {
  static const Json lists = json::parse(data::words).value();
  return lists;
}

bool is_one_of(const Json& list, const std::string& word) {
  return std::any_of(list.begin(), list.end(), [&](const Json& item) { return item == word; });
}

const Json& framing_schema() {
  static const Json schema = {
      {"type", "object"},
      {"properties",
       {{"problem_type",
         {{"type", "string"}, {"enum", {"decision", "creative", "analytical", "strategic"}}}},
        {"reframed_challenge", {{"type", "string"}}}}},
      {"required", {"problem_type", "reframed_challenge"}},
      {"additionalProperties", false}};
  return schema;
}

struct Framing {
  std::string problem_type;
  std::string challenge;
};

Result<Framing> read_framing(const std::string& answer) {
  TRY(const Json value, json::parse(answer));
  TRY(std::string type, json::string_at(value, "problem_type", "framing"));
  TRY(std::string challenge, json::string_at(value, "reframed_challenge", "framing"));
  Framing framing{std::move(type), std::string(text::trim(challenge))};
  static const std::vector<std::string> kTypes = {"decision", "creative", "analytical",
                                                  "strategic"};
  if (std::find(kTypes.begin(), kTypes.end(), framing.problem_type) == kTypes.end()) {
    return Error{
        ErrorCode::parse_error, "\"" + framing.problem_type + "\" is no problem type", "", {}};
  }
  return framing;
}

/// One call and, when the gate rejects the wording, one more; nullopt: the original wording stands.
Task<std::optional<Framing>> ask_model(Session& session, std::string note) {
  const std::string& question = session.state.question;
  const std::string model = session.model_for("orchestrator");
  for (int attempt = 0; attempt < 2; ++attempt) {
    ModelRequest request;
    request.system = fill_template("framing_system", {});
    request.prompt = fill_template("framing", {{"question", question}, {"note", note}});
    request.schema = &framing_schema();
    request.max_output = 600;
    request.task.kind = "framing";
    request.task.question = question;
    TextSink ignore = [](std::string_view) {};
    auto call = session.ports.models.complete(model, std::move(request), std::move(ignore));
    auto answer = co_await std::move(call);
    if (!answer) {
      // "unsupported" is how a model without framing declines: the heuristic is then no loss.
      if (answer.error().code != ErrorCode::unsupported) {
        session.warn("Framing without a model: " + answer.error().message + ".");
      }
      co_return std::nullopt;
    }
    auto framing = read_framing(answer->text);
    if (!framing) {
      note = "The last answer could not be read: " + framing.error().message + ".";
      continue;
    }
    const auto problems = framing_problems(framing->challenge, question);
    if (problems.empty()) co_return *framing;
    note = "The last wording was refused: " + text::join(problems, "; ") + ".";
  }
  session.warn("The original wording was kept. " + note);
  co_return std::nullopt;
}

Json framing_document(const SessionState& state, const std::string& shared) {
  Json prompts = Json::object();
  for (const Archetype& archetype : archetypes()) {
    prompts[archetype.id] = perspective_prompt(archetype);
  }
  const auto problems = framing_problems(state.reframed_challenge, state.question);
  return {{"workflow_id", state.id},
          {"problem_type", state.problem_type},
          {"original_prompt", state.question},
          {"reframed_challenge", state.reframed_challenge},
          {"shared_prompt", shared},
          {"archetype_prompts", std::move(prompts)},
          {"gate", {{"met", problems.empty()}, {"problems", problems}}}};
}

}  // namespace

std::string classify(std::string_view question) {
  const Json& lists = word_lists();
  const auto tokens = words::tokens(question);
  std::string best = "decision";
  int most = 0;
  for (const char* type : {"decision", "creative", "analytical", "strategic"}) {
    const auto hits =
        static_cast<int>(std::count_if(tokens.begin(), tokens.end(), [&](const std::string& token) {
          return is_one_of(lists.at(type), token);
        }));
    if (hits > most) {
      best = type;
      most = hits;
    }
  }
  return best;
}

std::vector<std::string> leading_words(std::string_view text, std::string_view original) {
  std::vector<std::string> found;
  for (const Json& item : word_lists().at("leading")) {
    const std::string word = item.get<std::string>();
    if (text::contains_ci(text, word) && !text::contains_ci(original, word)) found.push_back(word);
  }
  return found;
}

std::vector<std::string> framing_problems(std::string_view reframed, std::string_view original) {
  std::vector<std::string> problems;
  const std::string_view text = text::trim(reframed);
  if (text.empty()) return {"it is empty"};
  // The person's own wording is never refused for its form.
  if (text == text::trim(original)) return {};
  if (words::sentences(text).size() > 2) problems.emplace_back("more than two sentences");
  const auto kept = words::term_set(text);
  const auto wanted = words::term_set(original);
  const auto shared = std::count_if(wanted.begin(), wanted.end(),
                                    [&](const std::string& term) { return kept.contains(term); });
  if (2 * static_cast<std::size_t>(shared) < wanted.size()) {
    problems.emplace_back("less than half of the question's own terms are kept");
  }
  const auto leading = leading_words(text, original);
  if (!leading.empty()) problems.push_back("leading wording: " + text::join(leading, ", "));
  return problems;
}

Task<Result<void>> frame(Session& session, std::string note) {
  const std::string wording = note;
  auto asking = ask_model(session, std::move(note));
  auto in_time = co_await with_timeout(session.ports.clock, session.settings.timeouts.framing,
                                       std::move(asking));
  if (!in_time) session.warn("Framing took too long: the original wording is used.");
  std::optional<Framing> framing;
  if (in_time) framing = *std::move(in_time);
  SessionState& state = session.state;
  state.problem_type = framing ? framing->problem_type : classify(state.question);
  state.reframed_challenge = framing ? framing->challenge : state.question;
  // Nobody else can word it anew: what the person wrote is the challenge.
  if (!framing && !wording.empty()) state.reframed_challenge = wording;

  const std::string context_name = "context.md";
  auto context = session.ports.store.read(state.id, context_name);
  const std::string shared =
      shared_prompt(state.reframed_challenge, context ? context->body : std::string());
  const Json document = framing_document(state, shared);
  const DocumentView view{document, {}, {"workflow_id", "problem_type", "original_prompt"}};
  const std::string name = "stage-1-framing.yaml";
  auto written = co_await session.put(name, view, Durability::synced);
  co_return written;
}

}  // namespace brainstorm
