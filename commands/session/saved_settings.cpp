#include "commands/session/saved_settings.h"

#include <array>
#include <nlohmann/json.hpp>

namespace brainstorm {
namespace {

struct Time {
  const char* name;
  Millis Timeouts::*member;
};

constexpr std::array kTimes = {
    Time{"framing", &Timeouts::framing},
    Time{"agent", &Timeouts::agent},
    Time{"stage2", &Timeouts::stage2},
    Time{"converging", &Timeouts::converging},
    Time{"discovery", &Timeouts::discovery},
    Time{"discoverySync", &Timeouts::discovery_sync},
    Time{"global", &Timeouts::global},
    Time{"tournamentRound", &Timeouts::tournament_round},
    Time{"tournamentGlobal", &Timeouts::tournament_global},
};

}  // namespace

std::string_view to_string(Checkpoints checkpoints) {
  switch (checkpoints) {
    case Checkpoints::none:
      return "none";
    case Checkpoints::gates:
      return "gates";
    case Checkpoints::all:
      return "all";
  }
  return "gates";
}

std::string_view to_string(OnIncomplete policy) {
  switch (policy) {
    case OnIncomplete::retry_then_proceed:
      return "retry-then-proceed";
    case OnIncomplete::proceed:
      return "proceed";
    case OnIncomplete::abort:
      return "abort";
  }
  return "retry-then-proceed";
}

Json saved_settings(const Settings& settings) {
  Json times = Json::object();
  for (const Time& time : kTimes) times[time.name] = (settings.timeouts.*time.member).count();
  return {{"checkpoints", to_string(settings.checkpoints)},
          {"onIncomplete", to_string(settings.on_incomplete)},
          {"timeouts_ms", std::move(times)},
          {"concurrent", settings.limits.concurrent}};
}

Settings restored_settings(const Settings& base, const Json* saved) {
  Settings settings = base;
  if (saved == nullptr) return settings;
  const std::string checkpoints = json::text_or(*saved, "checkpoints");
  for (const auto choice : {Checkpoints::none, Checkpoints::gates, Checkpoints::all}) {
    if (checkpoints == to_string(choice)) settings.checkpoints = choice;
  }
  const std::string policy = json::text_or(*saved, "onIncomplete");
  for (const auto choice :
       {OnIncomplete::retry_then_proceed, OnIncomplete::proceed, OnIncomplete::abort}) {
    if (policy == to_string(choice)) settings.on_incomplete = choice;
  }
  if (const Json* times = json::find(*saved, "timeouts_ms")) {
    for (const Time& time : kTimes) {
      Millis& value = settings.timeouts.*time.member;
      value = Millis{json::integer_or(*times, time.name, value.count())};
    }
  }
  settings.limits.concurrent = json::integer_or(*saved, "concurrent", settings.limits.concurrent);
  return settings;
}

}  // namespace brainstorm
