#pragma once
// A file descriptor with an owner, and errno in words.

#include <string>
#include <string_view>
#include <utility>

#include "protocol/result.h"

namespace brainstorm {

/// Closes what it holds. -1 is empty.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }
  int release() { return std::exchange(value_, -1); }
  void reset(int value = -1);

 private:
  int value_ = -1;
};

/// An errno as the Error that a person can act on: "cannot <what> <where>: <reason>". ENOSPC and
/// EDQUOT are disk_full, EROFS, EACCES and EPERM read_only, ENOENT and ENOTDIR not_found, ELOOP
/// outside_workspace, anything else io_failed.
Error os_error(int error, std::string_view what, std::string_view where);

}  // namespace brainstorm
