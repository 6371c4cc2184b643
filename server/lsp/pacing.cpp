#include "server/lsp/pacing.h"

#include <algorithm>

namespace brainstorm {

std::optional<Delta> DeltaPacer::add(Delta delta, Millis now) {
  if (delta.text.empty()) return std::nullopt;
  const auto [found, fresh] = streams_.try_emplace({delta.session, delta.agent});
  Stream& stream = found->second;
  if (stream.held.text.empty() && (fresh || now >= stream.sent + kInterval)) {
    stream.sent = now;
    return delta;
  }
  const bool restarted = delta.offset < stream.held.offset;  // the agent was tried again
  if (stream.held.text.empty() || restarted) {
    stream.held = std::move(delta);
  } else {
    stream.held.text += delta.text;
  }
  return std::nullopt;
}

std::vector<Delta> DeltaPacer::take(Millis now) {
  std::vector<Delta> ready;
  for (auto& [key, stream] : streams_) {
    if (stream.held.text.empty() || now < stream.sent + kInterval) continue;
    stream.sent = now;
    ready.push_back(std::exchange(stream.held, {}));
  }
  return ready;
}

std::optional<Millis> DeltaPacer::due() const {
  std::optional<Millis> first;
  for (const auto& [key, stream] : streams_) {
    if (stream.held.text.empty()) continue;
    const Millis at = stream.sent + kInterval;
    first = first ? std::min(*first, at) : at;
  }
  return first;
}

std::vector<Delta> DeltaPacer::finish(const std::string& session) {
  std::vector<Delta> rest;
  auto stream = streams_.lower_bound({session, std::string()});
  while (stream != streams_.end() && stream->first.first == session) {
    if (!stream->second.held.text.empty()) rest.push_back(std::move(stream->second.held));
    stream = streams_.erase(stream);
  }
  return rest;
}

}  // namespace brainstorm
