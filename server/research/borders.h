#pragma once
// What is nobody's business in a person's folder, whatever git says.

#include <string_view>

namespace brainstorm {

/// Whether a relative path is never listed nor read: .git and .workflow, environment files, keys
/// and credential stores, by name.
bool is_private(std::string_view path);
/// The same for the last component alone.
bool is_private_name(std::string_view name);

}  // namespace brainstorm
