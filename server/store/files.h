#pragma once
// Files below an open directory, for a tree that strangers may have filled: no link is followed,
// only regular files are opened, nothing blocks. `shown` is the absolute path for messages.

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include "protocol/result.h"
#include "server/os/descriptor.h"

namespace brainstorm::files {

inline constexpr std::size_t kMaxFile = std::size_t{16} << 20;

/// One component of a path: not empty, no '/', not "." or "..", valid UTF-8 without control
/// characters, ≤ 200 bytes.
bool is_safe_component(std::string_view name);
/// A relative path of at most eight safe components: its parts, else outside_workspace.
Result<std::vector<std::string>> split(std::string_view name);

/// An existing directory; outside_workspace when it is a link.
Result<Descriptor> open_directory(int base, const std::string& name, const std::string& shown);
/// The same, made (mode 0700) when it is not there.
Result<Descriptor> make_directory(int base, const std::string& name, const std::string& shown);

/// A regular file, opened with `flags` beside those that keep links and FIFOs out (mode 0600 when
/// it is created).
Result<Descriptor> open_file(int directory, const std::string& name, int flags,
                             const std::string& shown);
/// At most `limit` bytes: too_large beyond.
Result<std::string> read_file(int directory, const std::string& name, std::size_t limit,
                              const std::string& shown);
/// The first bytes of an open file.
Result<std::string> read_head(int file, std::size_t count, const std::string& shown);
Ok write_all(int file, std::string_view bytes, const std::string& shown);
bool is_regular(int directory, const std::string& name);

/// A name beside `name` that nobody else uses, and how to know one again: leftovers of a killed
/// process.
std::string temporary_name(const std::string& name, std::uint64_t random);
bool is_temporary(std::string_view name);

/// Creates `name` with all its bytes or not at all; already_decided when it is there.
Ok create_whole(int directory, const std::string& name, std::string_view bytes,
                std::uint64_t random, const std::string& shown);

enum class Kind { file, directory, other };
struct Entry {
  std::string name;
  Kind kind;
};
/// All entries but "." and "..", unsorted; empty when the directory cannot be read.
std::vector<Entry> entries(int directory);

/// Renames without ever replacing something: EEXIST then. 0 or errno.
int rename_new(int from, const std::string& name, int to, const std::string& new_name);

/// Removes a file when its owner is destroyed, unless it was kept.
class Temporary {
 public:
  Temporary(int directory, std::string name) : directory_(directory), name_(std::move(name)) {}
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  void keep() { directory_ = -1; }
  const std::string& name() const { return name_; }

 private:
  int directory_;
  std::string name_;
};

}  // namespace brainstorm::files
