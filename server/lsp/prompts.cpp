#include "server/lsp/prompts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "protocol/text.h"

namespace brainstorm {
namespace {

constexpr std::size_t kButtons = 4;
constexpr std::string_view kLater = "Later";

/// Choices that mean nothing without a text beside them.
bool needs_values(const Option& option) {
  return option.id == "refine" || option.id == "raise" || option.title.ends_with("…");
}

bool is_refused(const Response& response) {
  return response.error && response.error->code == rpc::kMethodNotFound;
}

}  // namespace

PromptChannel prompt_channel(const lsp::ClientFeatures& features) {
  if (features.input) return PromptChannel::input;
  return features.message_request ? PromptChannel::message : PromptChannel::none;
}

Form prompt_form(const std::string& session, const Decision& decision) {
  Form form{session, decision.id, decision.prompt, {}};
  Field choice{"choice", "Choice", "enum", true, "", decision.options};
  if (!decision.options.empty()) choice.fallback = decision.options.front().id;
  form.fields.push_back(std::move(choice));
  form.fields.insert(form.fields.end(), decision.fields.begin(), decision.fields.end());
  return form;
}

std::vector<Option> prompt_buttons(const Decision& decision) {
  static constexpr std::string_view kAtReview[] = {"accept", "refine", "handoff"};
  std::vector<Option> buttons;
  const bool review = decision.kind == "review";
  for (const Option& option : decision.options) {
    const auto listed = std::find(std::begin(kAtReview), std::end(kAtReview), option.id);
    if (review && listed == std::end(kAtReview)) continue;
    if (buttons.size() < kButtons) buttons.push_back(option);
  }
  if (review && buttons.size() < kButtons) buttons.push_back({"", std::string(kLater)});
  return buttons;
}

Prompts::Prompts(Client& client, Decide decide) : client_(client), decide_(std::move(decide)) {}

void Prompts::ask(const std::string& session, const Decision& decision) {
  const Key key{session, decision.id};
  if (open_.contains(key)) return;
  switch (prompt_channel(client_.features)) {
    case PromptChannel::input:
      return ask_form(key, decision);
    case PromptChannel::message:
      return ask_message(key, decision);
    case PromptChannel::none:
      return client_.log(lsp::MessageType::info, text::one_line(decision.prompt) +
                                                     " Decide with brainstorm.decide, or: " +
                                                     "brainstorm-ls decide " + session + " CHOICE");
  }
}

void Prompts::settled(const std::string& session, const std::string& decision) {
  const auto found = open_.find({session, decision});
  if (found == open_.end()) return;
  client_.withdraw(found->second);
  open_.erase(found);
}

void Prompts::ask_form(const Key& key, const Decision& decision) {
  open_[key] = client_.request(
      "brainstorm/input", to_json(prompt_form(key.first, decision)),
      [this, key, decision](const Response& response) { form_answered(key, decision, response); });
}

void Prompts::ask_message(const Key& key, const Decision& decision) {
  const auto buttons = prompt_buttons(decision);
  std::vector<std::string> titles;
  for (const Option& button : buttons) titles.push_back(button.title);
  const auto type = decision.blocking ? lsp::MessageType::warning : lsp::MessageType::info;
  open_[key] = client_.request(
      "window/showMessageRequest",
      lsp::message_request_params(decision.kind == "review" ? lsp::MessageType::info : type,
                                  decision.prompt, titles),
      [this, key, buttons](const Response& response) { message_answered(key, buttons, response); });
}

void Prompts::form_answered(const Key& key, const Decision& decision, const Response& response) {
  open_.erase(key);
  if (is_refused(response)) {
    client_.features.input = false;
    return ask(key.first, decision);
  }
  if (response.error) return;
  const auto form = form_answer_from_json(response.result);
  if (!form || form->action != FormAnswer::Action::accept) return;
  Answer answer{key.first, key.second, "", {}};
  for (const auto& [id, value] : form->values) {
    if (id == "choice") {
      answer.choice = value;
    } else {
      answer.values[id] = value;
    }
  }
  if (!answer.choice.empty()) decide_(std::move(answer));
}

void Prompts::message_answered(const Key& key, const std::vector<Option>& buttons,
                               const Response& response) {
  open_.erase(key);
  if (is_refused(response)) client_.features.message_request = false;
  if (response.error) return;
  const auto title = lsp::chosen_title(response.result);
  if (!title) return;
  const auto chosen = std::find_if(buttons.begin(), buttons.end(),
                                   [&](const Option& button) { return button.title == *title; });
  if (chosen == buttons.end() || chosen->id.empty()) return;
  if (needs_values(*chosen)) {
    return client_.show(lsp::MessageType::info,
                        "\"" + chosen->title + "\" needs more than a button: use the command " +
                            "brainstorm.decide with values, or brainstorm-ls decide " + key.first +
                            " " + chosen->id + " --text \"…\"");
  }
  decide_(Answer{key.first, key.second, chosen->id, {}});
}

}  // namespace brainstorm
