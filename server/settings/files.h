#pragma once
// Reading settings files: bounded, never blocking on a FIFO.

#include <string>

#include "protocol/result.h"

namespace brainstorm::settings {

struct FileText {
  bool exists = false;
  bool only_ours = false;  // nobody but its owner may read or write it
  std::string text;
};

/// The person's own file; links are followed, dotfiles often are some.
Result<FileText> read_own(const std::string& path);
/// A file of a workspace, as "<folder>/.workflow/config.yaml". Neither it nor its directory may be
/// a link: a linked directory counts as absent, a linked file is an error.
Result<FileText> read_untrusted(const std::string& path);

}  // namespace brainstorm::settings
