#pragma once
// Open decisions as dialogs of the editor. A decision is stored data: a dialog is only a
// convenience, so nothing here waits, and a dialog that is dismissed, lost or never answered
// changes nothing.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "commands/session/manager.h"
#include "server/lsp/outgoing.h"

namespace brainstorm {

/// How one decision is asked. Pure: what is declared decides.
enum class PromptChannel { input, message, none };
PromptChannel prompt_channel(const lsp::ClientFeatures& features);

/// The form of brainstorm/input for a decision: its options as the enum "choice", then its fields.
Form prompt_form(const std::string& session, const Decision& decision);
/// The buttons of a dialog, at most four; the last one may be "Later", which has no id.
std::vector<Option> prompt_buttons(const Decision& decision);

class Prompts {
 public:
  /// `decide` takes the person's answer to the session.
  using Decide = std::function<void(Answer answer)>;
  Prompts(Client& client, Decide decide);

  /// One prompt per decision: asking twice shows one.
  void ask(const std::string& session, const Decision& decision);
  /// Answered elsewhere or withdrawn: closes the dialog.
  void settled(const std::string& session, const std::string& decision);
  std::size_t open_count() const { return open_.size(); }

 private:
  using Key = std::pair<std::string, std::string>;  // session, decision
  void ask_form(const Key& key, const Decision& decision);
  void ask_message(const Key& key, const Decision& decision);
  void form_answered(const Key& key, const Decision& decision, const Response& response);
  void message_answered(const Key& key, const std::vector<Option>& buttons,
                        const Response& response);

  Client& client_;
  Decide decide_;
  std::map<Key, std::int64_t> open_;
};

}  // namespace brainstorm
