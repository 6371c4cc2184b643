#pragma once
// Where things lie below `<folder>/.workflow/`, and their safe opening.

#include <string>

#include "protocol/result.h"
#include "server/store/files.h"

namespace brainstorm {

inline const std::string kStateName = "workflow-state.yaml";
inline const std::string kBackupName = "workflow-state.yaml.bak";
inline const std::string kLockName = ".session.lock";
inline const std::string kLogName = "log.jsonl";
inline const std::string kInboxName = "inbox";
inline const std::string kArchiveName = "archive";
/// Of a session's directory while it is built.
inline const std::string kUnfinished = ".tmp-";

class Tree {
 public:
  explicit Tree(std::string folder) : folder_(std::move(folder)) {}

  /// .workflow itself: folder_missing, not_found, or outside_workspace when it is a link.
  Result<Descriptor> root() const;
  /// The same, made with its .gitignore where one of them is not there.
  Result<Descriptor> make_root(std::uint64_t random) const;
  /// session_not_found when there is no such directory.
  Result<Descriptor> session(const std::string& id) const;

  struct Place {
    Descriptor directory;
    std::string leaf;
    std::string shown;  // absolute path
  };
  /// The directory of a session's file; `make` creates the directories between.
  Result<Place> place(const std::string& id, const std::string& name, bool make) const;

  /// Absolute path of .workflow, of a session in it, of a file of that.
  std::string path(const std::string& id = {}, const std::string& name = {}) const;
  const std::string& folder() const { return folder_; }

 private:
  Result<Descriptor> folder_descriptor() const;
  std::string folder_;
};

Error session_not_found(const std::string& id);
/// Whether a directory holds a session's state.
bool has_state(int directory);

}  // namespace brainstorm
