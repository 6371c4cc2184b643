#pragma once
// Text that looks like a credential: it must not be sent to third parties, nor echoed.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace brainstorm {

struct Credential {
  std::string_view rule;   // what it looks like: "a private key", "an OpenAI-style key", …
  std::size_t offset = 0;  // bytes
  std::size_t length = 0;
};

/// The first at or after `from`: private-key blocks, well-known key shapes, and assignments such as
/// `password = …` with a value of at least eight characters.
std::optional<Credential> find_credential(std::string_view text, std::size_t from = 0);

}  // namespace brainstorm
