#include "server/store/tree.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "protocol/text.h"

namespace brainstorm {
namespace {

const std::string kRootName = ".workflow";
const std::string kIgnoreName = ".gitignore";
constexpr std::string_view kIgnore =
    "# Sessions stay out of version control; settings and roles may be shared. To keep the files "
    "of a\n"
    "# session, add a line such as !/swarm-session-20260131-090507-1a2b3c4d/ and one for its "
    "files.\n"
    "*\n"
    "!.gitignore\n"
    "!config.yaml\n"
    "!roles/\n"
    "!roles/*\n";

bool is_session_name(const std::string& id) {
  return files::is_safe_component(id) && id[0] != '.' && id != kArchiveName;
}

}  // namespace

Error session_not_found(const std::string& id) {
  const std::string shown = text::shorten(text::one_line(text::repair_utf8(id)), 100);
  return Error{ErrorCode::session_not_found,
               "there is no session " + shown,
               "List the sessions to find its id.",
               {{"session", shown}}};
}

bool has_state(int directory) {
  return files::is_regular(directory, kStateName) || files::is_regular(directory, kBackupName);
}

Result<Descriptor> Tree::folder_descriptor() const {
  Descriptor opened(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) return opened;
  Error error = os_error(errno, "open the folder", folder_);
  if (error.code == ErrorCode::not_found) error.code = ErrorCode::folder_missing;
  return error;
}

Result<Descriptor> Tree::root() const {
  TRY(Descriptor folder, folder_descriptor());
  return files::open_directory(folder.get(), kRootName, path());
}

Result<Descriptor> Tree::make_root(std::uint64_t random) const {
  TRY(Descriptor folder, folder_descriptor());
  TRY(Descriptor made, files::make_directory(folder.get(), kRootName, path()));
  struct stat info {};
  if (::fstatat(made.get(), kIgnoreName.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) return made;
  auto written = files::create_whole(made.get(), kIgnoreName, kIgnore, random, path(kIgnoreName));
  if (!written && written.error().code != ErrorCode::already_decided) return written.error();
  return made;
}

Result<Descriptor> Tree::session(const std::string& id) const {
  if (!is_session_name(id)) return session_not_found(id);
  auto opened = root();
  if (!opened && opened.error().code == ErrorCode::not_found) return session_not_found(id);
  TRY(Descriptor base, std::move(opened));
  auto directory = files::open_directory(base.get(), id, path(id));
  if (!directory && directory.error().code == ErrorCode::not_found) return session_not_found(id);
  return directory;
}

Result<Tree::Place> Tree::place(const std::string& id, const std::string& name, bool make) const {
  TRY(auto parts, files::split(name));
  TRY(Descriptor directory, session(id));
  std::string shown = path(id);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    shown += "/" + parts[i];
    auto next = make ? files::make_directory(directory.get(), parts[i], shown)
                     : files::open_directory(directory.get(), parts[i], shown);
    TRY(Descriptor inner, std::move(next));
    directory = std::move(inner);
  }
  return Place{std::move(directory), parts.back(), shown + "/" + parts.back()};
}

std::string Tree::path(const std::string& id, const std::string& name) const {
  std::string result = folder_;
  while (result.size() > 1 && result.back() == '/') result.pop_back();
  result += (result == "/" ? "" : "/") + kRootName;
  if (!id.empty()) result += "/" + id;
  if (!name.empty()) result += "/" + name;
  return result;
}

}  // namespace brainstorm
