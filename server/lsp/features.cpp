#include "server/lsp/features.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/version.h"

namespace brainstorm {

Json initialize_result(const std::vector<std::string_view>& methods,
                       const std::vector<std::string>& commands,
                       const std::vector<std::string>& modes, lsp::Encoding encoding) {
  const auto serves = [&](std::string_view method) {
    return std::find(methods.begin(), methods.end(), method) != methods.end();
  };
  constexpr int kIncremental = 2;
  Json capabilities = Json::object({{"positionEncoding", to_string(encoding)}});
  if (serves("textDocument/didOpen")) {
    capabilities["textDocumentSync"] = Json::object({{"openClose", true}});
    if (serves("textDocument/didChange")) {
      capabilities["textDocumentSync"]["change"] = kIncremental;
    }
  }
  if (serves("workspace/executeCommand")) {
    capabilities["executeCommandProvider"] = Json::object({{"commands", commands}});
  }
  if (serves("workspace/didChangeWorkspaceFolders")) {
    capabilities["workspace"]["workspaceFolders"] =
        Json::object({{"supported", true}, {"changeNotifications", true}});
  }
  capabilities["experimental"]["brainstorm"] =
      Json::object({{"version", 1}, {"modes", modes}, {"commands", commands}});
  return Json::object(
      {{"capabilities", std::move(capabilities)},
       {"serverInfo", Json::object({{"name", "brainstorm-ls"}, {"version", kVersion}})}});
}

}  // namespace brainstorm
