#pragma once
// What a Client, or the Requests, would put on the wire.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "protocol/message.h"
#include "server/lsp/outgoing.h"

namespace brainstorm::test {

struct Wire {
  std::vector<Json> sent;

  Client::Send send() {
    return [this](Json message, Keep, const std::string&) { sent.push_back(std::move(message)); };
  }
  std::vector<Json> all(const std::string& method) const {
    std::vector<Json> found;
    for (const Json& message : sent) {
      if (message.value("method", "") == method) found.push_back(message);
    }
    return found;
  }
};

inline Response answer(const Json& request, Json result) {
  return {Id(request.at("id").get<std::int64_t>()), std::move(result), std::nullopt};
}
inline Response refusal(const Json& request, std::int64_t code) {
  return {Id(request.at("id").get<std::int64_t>()), nullptr, ResponseError{code, "no", {}}};
}

}  // namespace brainstorm::test
