#pragma once
// The Workspace port on a real folder.

#include <memory>
#include <string>
#include <string_view>

#include "commands/ports.h"

namespace brainstorm {

inline constexpr std::size_t kMaxListedFiles = 20000;
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

/// Lists with `git ls-files` (in a form that runs nothing a repository could name) where the folder
/// belongs to a git repository and git works; otherwise by an own walk that honours .gitignore
/// files. Reading masks what looks like a credential.
class FolderWorkspace : public Workspace {
 public:
  /// The clock outlives the workspace; `folder` is an absolute path.
  FolderWorkspace(Clock& clock, std::string folder);
  Task<Result<Listing>> list() override;
  Result<std::string> read(const std::string& path) override;

 private:
  Clock& clock_;
  std::string folder_;
};

/// Replaces the value of what looks like a credential (provider keys, private keys, tokens,
/// passwords in assignments and URLs) by "[masked]"; every line stays where it is.
std::string mask_credentials(std::string_view text);

}  // namespace brainstorm
