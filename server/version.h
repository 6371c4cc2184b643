#pragma once
#include <string_view>

namespace brainstorm {

/// The same as in CMakeLists.txt and CHANGELOG.md.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace brainstorm
