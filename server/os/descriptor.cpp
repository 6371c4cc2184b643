#include "server/os/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace brainstorm {
namespace {

struct Meaning {
  ErrorCode code;
  const char* hint;
};

Meaning meaning(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return {ErrorCode::disk_full, "Free some disk space, then try again; nothing was lost."};
    case EROFS:
    case EACCES:
    case EPERM:
      return {ErrorCode::read_only, "Allow reading and writing there, or choose another folder."};
    case ENOENT:
    case ENOTDIR:
      return {ErrorCode::not_found, "Check that it exists and was not moved or deleted."};
    case ELOOP:
      return {ErrorCode::outside_workspace,
              "Replace the link by a real file or directory; links are not followed there."};
    case EMFILE:
    case ENFILE:
      return {ErrorCode::io_failed,
              "Too many files are open: close some programs or raise the limit."};
    default:
      return {ErrorCode::io_failed, "Check the disk and the permissions of that path."};
  }
}

}  // namespace

void Descriptor::reset(int value) {
  if (value_ >= 0) ::close(value_);
  value_ = value;
}

Error os_error(int error, std::string_view what, std::string_view where) {
  const auto [code, hint] = meaning(error);
  std::string message =
      "cannot " + std::string(what) + " " + std::string(where) + ": " + std::strerror(error);
  return Error{code, std::move(message), hint, {{"path", std::string(where)}}};
}

}  // namespace brainstorm
