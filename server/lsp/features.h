#pragma once
// What the server announces.

#include <string>
#include <vector>

#include "protocol/json.h"
#include "protocol/lsp.h"

namespace brainstorm {

/// The result of initialize. `methods` and `commands` are those that are served: what is announced
/// is made from the tables that serve it.
Json initialize_result(const std::vector<std::string_view>& methods,
                       const std::vector<std::string>& commands,
                       const std::vector<std::string>& modes, lsp::Encoding encoding);

}  // namespace brainstorm
