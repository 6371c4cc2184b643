#include "server/cli/board.h"

#include <algorithm>
#include <array>

#include "commands/session/board.h"
#include "commands/session/timestamp.h"
#include "protocol/text.h"

namespace brainstorm::cli {
namespace {

struct Range {
  char32_t first, last;
};

// Rough, and good enough for columns that line up: East Asian wide blocks and emoji.
constexpr std::array<Range, 14> kWide{{{0x1100, 0x115f},
                                       {0x231a, 0x231b},
                                       {0x23e9, 0x23ec},
                                       {0x2614, 0x2615},
                                       {0x2705, 0x2705},
                                       {0x2e80, 0x303e},
                                       {0x3041, 0xa4cf},
                                       {0xac00, 0xd7a3},
                                       {0xf900, 0xfaff},
                                       {0xfe30, 0xfe6f},
                                       {0xff00, 0xff60},
                                       {0xffe0, 0xffe6},
                                       {0x1f300, 0x1faff},
                                       {0x20000, 0x3fffd}}};
constexpr std::array<Range, 7> kZero{{{0x300, 0x36f},
                                      {0x483, 0x489},
                                      {0x591, 0x5bd},
                                      {0x200b, 0x200f},
                                      {0x20d0, 0x20ff},
                                      {0xfe00, 0xfe0f},
                                      {0xe0100, 0xe01ef}}};

template <std::size_t size>
bool is_in(const std::array<Range, size>& ranges, char32_t sign) {
  return std::any_of(ranges.begin(), ranges.end(), [sign](const Range& range) {
    return sign >= range.first && sign <= range.last;
  });
}

std::size_t width_of(char32_t sign) {
  if (is_in(kZero, sign)) return 0;
  return is_in(kWide, sign) ? 2 : 1;
}

/// The character at `at` of valid UTF-8, and its length in bytes.
std::pair<char32_t, std::size_t> decode(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (at + length > text.size()) return {0xfffd, 1};
  char32_t sign = length == 1 ? lead : lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    sign = (sign << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
  }
  return {sign, length};
}

std::string_view colour_of(std::string_view state) {
  if (state == "complete") return "\x1b[32m";
  if (state == "in_progress") return "\x1b[36m";
  if (state == "failed" || state == "timeout") return "\x1b[31m";
  return "\x1b[2m";
}

/// Text of models and files, harmless on a terminal.
std::string safe(std::string_view value) { return text::one_line(text::printable(value)); }

std::string agent_line(const AgentView& agent, std::size_t names, const BoardStyle& style) {
  const bool started = agent.state != "pending";
  const auto name = "  " + pad(safe(agent.id), names) + "  ";
  const auto state = pad(safe(agent.state), 11);
  const auto rest = "  " + pad(started ? minutes_seconds(Millis(agent.elapsed_ms)) : "", 6) + "  " +
                    safe(agent.headline);
  auto line = fit(name + state + rest, style.width);
  while (line.ends_with(' ')) line.pop_back();
  if (!style.colours || line.size() < name.size() + state.size()) return line;
  const auto tail = line.substr(name.size() + state.size());
  return name + std::string(colour_of(agent.state)) + state + "\x1b[0m" + tail;
}

std::string title_line(const Snapshot& snapshot, const BoardStyle& style) {
  const auto title = fit(stage_title(snapshot), style.width);
  auto rest = "  " + agents_done(snapshot);
  if (snapshot.cancelling) rest += " · cancelling";
  if (snapshot.usage.tokens_in + snapshot.usage.tokens_out > 0) {
    rest +=
        " · " + std::to_string(snapshot.usage.tokens_in + snapshot.usage.tokens_out) + " tokens";
  }
  const auto room = style.width - std::min(style.width, cells(title));
  const auto shown = room > 4 ? fit(rest, room) : std::string();
  return style.colours ? "\x1b[1m" + title + "\x1b[0m" + shown : title + shown;
}

const AgentView* agent_of(const Snapshot* snapshot, const std::string& id) {
  if (!snapshot) return nullptr;
  for (const auto& agent : snapshot->agents) {
    if (agent.id == id) return &agent;
  }
  return nullptr;
}

bool has_warning(const Snapshot* snapshot, const std::string& warning) {
  return snapshot && std::find(snapshot->warnings.begin(), snapshot->warnings.end(), warning) !=
                         snapshot->warnings.end();
}

}  // namespace

std::size_t cells(std::string_view value) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < value.size();) {
    const auto [sign, length] = decode(value, at);
    width += width_of(sign);
    at += length;
  }
  return width;
}

std::string fit(std::string_view value, std::size_t width) {
  if (cells(value) <= width) return std::string(value);
  if (width == 0) return {};
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < value.size()) {
    const auto [sign, length] = decode(value, at);
    if (used + width_of(sign) > width - 1) break;
    used += width_of(sign);
    at += length;
  }
  return std::string(value.substr(0, at)) + "…";
}

std::string pad(std::string_view value, std::size_t width) {
  auto padded = fit(value, width);
  padded.append(width - cells(padded), ' ');
  return padded;
}

std::vector<std::string> board_lines(const Snapshot& snapshot, const BoardStyle& style) {
  std::vector<std::string> lines{title_line(snapshot, style)};
  std::size_t names = 4;
  for (const auto& agent : snapshot.agents) names = std::max(names, cells(safe(agent.id)));
  names = std::min<std::size_t>(names, 24);
  for (const auto& agent : snapshot.agents) lines.push_back(agent_line(agent, names, style));
  for (const auto& decision : snapshot.pending_decisions) {
    lines.push_back(fit("  waits for you: " + safe(decision.kind), style.width));
  }
  return lines;
}

std::vector<std::string> progress_lines(const Snapshot* before, const Snapshot& now) {
  std::vector<std::string> lines;
  if (!before || before->stage != now.stage || before->state != now.state) {
    lines.push_back(stage_title(now) + " " + safe(now.state));
  }
  if (now.cancelling && !(before && before->cancelling)) lines.push_back("  cancelling");
  for (const auto& agent : now.agents) {
    const AgentView* old = agent_of(before, agent.id);
    if (agent.state == (old ? old->state : "pending")) continue;
    auto line = "  " + safe(agent.id) + " " + safe(agent.state);
    if (agent.state != "in_progress") line += " " + minutes_seconds(Millis(agent.elapsed_ms));
    const bool bad = agent.state == "failed" || agent.state == "timeout";
    if (bad && !agent.headline.empty()) line += ": " + safe(agent.headline);
    lines.push_back(line);
  }
  for (const auto& warning : now.warnings) {
    if (!has_warning(before, warning)) lines.push_back("  warning: " + safe(warning));
  }
  return lines;
}

}  // namespace brainstorm::cli
