#include "commands/session/timestamp.h"

#include <charconv>
#include <cstdio>

namespace brainstorm {
namespace {

struct Civil {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::seconds> time;
};

Civil civil(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time - day);
  return {std::chrono::year_month_day{day}, std::chrono::hh_mm_ss{seconds}};
}

std::string format(const char* pattern, WallTime time) {
  const Civil at = civil(time);
  char buffer[64];
  const int length = std::snprintf(
      buffer, sizeof buffer, pattern, static_cast<int>(at.date.year()),
      static_cast<unsigned>(at.date.month()), static_cast<unsigned>(at.date.day()),
      static_cast<int>(at.time.hours().count()), static_cast<int>(at.time.minutes().count()),
      static_cast<int>(at.time.seconds().count()));
  return {buffer, static_cast<std::size_t>(length)};
}

}  // namespace

std::string iso8601(WallTime time) { return format("%04d-%02u-%02uT%02d:%02d:%02dZ", time); }

std::string compact_time(WallTime time) { return format("%04d%02u%02u-%02d%02d%02d", time); }

std::optional<WallTime> parse_iso8601(std::string_view text) {
  if (text.size() != 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':' || text[19] != 'Z') {
    return std::nullopt;
  }
  auto number = [&](std::size_t at, std::size_t length) {
    int value = -1;
    const char* end = text.data() + at + length;
    const auto parsed = std::from_chars(text.data() + at, end, value);
    return parsed.ptr == end ? value : -1;
  };
  const std::chrono::year_month_day date{std::chrono::year{number(0, 4)},
                                         std::chrono::month{static_cast<unsigned>(number(5, 2))},
                                         std::chrono::day{static_cast<unsigned>(number(8, 2))}};
  const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60) {
    return std::nullopt;
  }
  return WallTime{std::chrono::sys_days{date} + std::chrono::hours{hour} +
                  std::chrono::minutes{minute} + std::chrono::seconds{second}};
}

std::string minutes_seconds(Millis duration) {
  const auto total = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  char buffer[32];
  const int length =
      std::snprintf(buffer, sizeof buffer, "%lld:%02lld", static_cast<long long>(total / 60),
                    static_cast<long long>(total % 60));
  return {buffer, static_cast<std::size_t>(length)};
}

}  // namespace brainstorm
