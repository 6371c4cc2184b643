#include "server/store/listing.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "commands/session/timestamp.h"
#include "protocol/text.h"
#include "server/store/yaml.h"

namespace brainstorm {
namespace {

constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kStampLength = 15;  // 20260131-090507

struct Candidate {
  std::string stamp;  // sorts by time
  std::string id;
  bool ours;  // by its name; of others a directory without a state is none of our business
};

/// "20260131-090507" out of a name, or nothing.
std::string stamp_in(std::string_view name) {
  for (std::size_t at = 0; at + kStampLength <= name.size(); ++at) {
    const std::string_view part = name.substr(at, kStampLength);
    bool fits = part[8] == '-';
    for (std::size_t i = 0; fits && i < kStampLength; ++i) {
      fits = i == 8 || (part[i] >= '0' && part[i] <= '9');
    }
    if (fits) return std::string(part);
  }
  return {};
}

std::string changed_stamp(int root, const std::string& name) {
  struct stat info {};
  if (::fstatat(root, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return {};
  return compact_time(WallTime(std::chrono::seconds(info.st_mtim.tv_sec)));
}

std::vector<Candidate> candidates(int root) {
  std::vector<Candidate> result;
  for (files::Entry& entry : files::entries(root)) {
    if (entry.kind != files::Kind::directory || entry.name[0] == '.') continue;
    if (!files::is_safe_component(entry.name)) continue;
    if (entry.name == kArchiveName || entry.name == "roles") continue;
    const std::string_view name = entry.name;
    const bool ours =
        text::starts_with_ci(name, "swarm-") || text::starts_with_ci(name, "tournament-");
    std::string stamp = stamp_in(name);
    if (stamp.empty()) stamp = changed_stamp(root, entry.name);
    result.push_back(Candidate{std::move(stamp), std::move(entry.name), ours});
  }
  std::sort(result.begin(), result.end(), [](const Candidate& left, const Candidate& right) {
    return std::tie(left.stamp, left.id) > std::tie(right.stamp, right.id);
  });
  return result;
}

/// The value of a line `key: value`, when it is a quoted string or a simple word.
std::optional<std::string> simple_value(std::string_view value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    const std::string_view inner = value.substr(1, value.size() - 2);
    if (inner.find_first_of("\\\"") == std::string_view::npos) return std::string(inner);
    auto parsed = read_yaml(value, kStateName);
    if (parsed && parsed->is_string()) return parsed->get<std::string>();
    return std::nullopt;
  }
  const bool word = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == ':';
  });
  if (word) return std::string(value);
  return std::nullopt;
}

struct HeadField {
  std::string_view key;
  std::string SessionHead::*member;
};
constexpr std::array<HeadField, 6> kFields = {{{"mode", &SessionHead::mode},
                                               {"original_prompt", &SessionHead::question},
                                               {"current_state", &SessionHead::state},
                                               {"created_at", &SessionHead::created_at},
                                               {"last_updated", &SessionHead::updated_at},
                                               {"expires_at", &SessionHead::expires_at}}};

std::optional<SessionHead> parse_head(int directory, const std::string& name,
                                      const std::string& id) {
  auto bytes = files::read_file(directory, name, kMaxYamlBytes, name);
  if (!bytes) return std::nullopt;
  auto parsed = read_yaml(*bytes, name);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  SessionHead head;
  head.id = id;
  for (const HeadField& field : kFields) head.*field.member = json::text_or(*parsed, field.key);
  const Json* pending = json::find(*parsed, "pending_decisions");
  head.has_pending = pending != nullptr && pending->is_array() && !pending->empty();
  if (head.state.empty()) return std::nullopt;
  return head;
}

std::optional<SessionHead> read_head(int directory, const std::string& id) {
  auto file = files::open_file(directory, kStateName, O_RDONLY, kStateName);
  if (file) {
    auto bytes = files::read_head(file->get(), kHeadBytes, kStateName);
    if (bytes) {
      if (auto head = scan_head(*bytes, id)) return head;
    }
    if (auto head = parse_head(directory, kStateName, id)) return head;
  }
  return parse_head(directory, kBackupName, id);
}

}  // namespace

std::optional<SessionHead> scan_head(std::string_view bytes, const std::string& id) {
  SessionHead head;
  head.id = id;
  std::size_t found = 0;
  while (found <= kFields.size()) {
    const auto end = bytes.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || line[0] == ' ' || line[0] == '-') continue;
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = text::trim(line.substr(colon + 1));
    if (key == "pending_decisions") {
      if (!value.empty() && value != "[]") return std::nullopt;
      head.has_pending = value.empty();
      ++found;
      continue;
    }
    const auto field = std::find_if(kFields.begin(), kFields.end(),
                                    [&](const HeadField& known) { return known.key == key; });
    if (field == kFields.end()) continue;
    auto text = simple_value(value);
    if (!text) return std::nullopt;
    head.*field->member = *std::move(text);
    ++found;
  }
  return head;
}

Result<Store::Listing> list_sessions(const Tree& tree, std::size_t limit) {
  Store::Listing listing;
  auto opened = tree.root();
  if (!opened && opened.error().code == ErrorCode::not_found) return listing;
  TRY(Descriptor root, std::move(opened));
  for (const Candidate& candidate : candidates(root.get())) {
    if (listing.sessions.size() >= limit) break;
    auto directory = files::open_directory(root.get(), candidate.id, candidate.id);
    if (!directory) {
      ++listing.unreadable;
      continue;
    }
    if (auto head = read_head(directory->get(), candidate.id)) {
      listing.sessions.push_back(*std::move(head));
    } else if (candidate.ours || has_state(directory->get())) {
      ++listing.unreadable;
    }
  }
  return listing;
}

}  // namespace brainstorm
