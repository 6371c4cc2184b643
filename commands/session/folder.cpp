#include "commands/session/folder.h"

namespace brainstorm {

std::vector<std::string> matching_sessions(const std::vector<SessionHead>& heads,
                                           const std::string& wanted) {
  constexpr std::string_view kAlias = "swarm-";
  constexpr std::string_view kName = "swarm-session-";
  std::string long_form = wanted;
  if (wanted.starts_with(kAlias) && !wanted.starts_with(kName)) {
    long_form = std::string(kName) + wanted.substr(kAlias.size());
  }
  std::vector<std::string> found;
  for (const SessionHead& head : heads) {
    if (head.id == wanted || head.id == long_form) return {head.id};
    const bool prefix = head.id.starts_with(wanted) || head.id.starts_with(long_form);
    const bool random_part = wanted.size() == 8 && head.id.ends_with("-" + wanted);
    if (prefix || random_part) found.push_back(head.id);
  }
  return found;
}

}  // namespace brainstorm
