#include "server/settings/schema.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace brainstorm::settings {
namespace {

constexpr double kWeek = 7 * 24 * 3600;
constexpr double kMany = 1e9;

template <auto group, auto member>
void millis(Settings& settings, const Json& value) {
  (settings.*group).*member = Millis(std::llround(value.get<double>() * 1000));
}

template <auto group, auto member>
void integer(Settings& settings, const Json& value) {
  (settings.*group).*member = value.get<std::int64_t>();
}

template <auto group, auto member>
void number(Settings& settings, const Json& value) {
  (settings.*group).*member = value.get<double>();
}

template <auto member>
void plain_number(Settings& settings, const Json& value) {
  settings.*member = value.get<double>();
}

void checkpoints(Settings& settings, const Json& value) {
  const auto text = value.get<std::string>();
  settings.checkpoints = text == "none"  ? Checkpoints::none
                         : text == "all" ? Checkpoints::all
                                         : Checkpoints::gates;
}

void on_incomplete(Settings& settings, const Json& value) {
  const auto text = value.get<std::string>();
  settings.on_incomplete = text == "proceed" ? OnIncomplete::proceed
                           : text == "abort" ? OnIncomplete::abort
                                             : OnIncomplete::retry_then_proceed;
}

void patterns(Settings& settings, const Json& value) {
  settings.prohibited_patterns = value.get<std::vector<std::string>>();
}

constexpr auto kTimeouts = &Settings::timeouts;
constexpr auto kLimits = &Settings::limits;
constexpr auto kBudget = &Settings::budget;

constexpr std::string_view kArchetypeColumns =
    "id! title lens! researches[]! asks[]! key_question! confidence_question! bias! missing!";
constexpr std::string_view kAngleColumns =
    "name! definition! rule fields[] family failure_mode caught_by";

constexpr Key timeout(std::string_view path, std::string_view fallback,
                      void (*apply)(Settings&, const Json&), std::string_view about) {
  return {path,     Kind::seconds, 0.001,       kWeek, {},
          fallback, May::stricter, May::freely, apply, about};
}

constexpr Key count(std::string_view path, double low, double high, std::string_view fallback,
                    void (*apply)(Settings&, const Json&), std::string_view about) {
  return {path, Kind::integer, low, high, {}, fallback, May::never, May::freely, apply, about};
}

constexpr Key wait(std::string_view path, std::string_view fallback,
                   void (*apply)(Settings&, const Json&), std::string_view about) {
  return {path, Kind::seconds, 0, kWeek, {}, fallback, May::never, May::freely, apply, about};
}

/// What only the person decides: keys, commands, URLs, and what makes data leave the machine.
constexpr Key personal(std::string_view path, Kind kind, std::string_view options,
                       std::string_view about, double low = 0, double high = 0) {
  return {path, kind, low, high, options, {}, May::never, May::never, nullptr, about};
}

const Key kKeys[] = {
    personal("models.*.type", Kind::choice, "anthropic openai ollama gemini command editor offline",
             "How the model is reached."),
    personal("models.*.base_url", Kind::url, {}, "Where its API is."),
    personal("models.*.model", Kind::text, {}, "The provider's name for it."),
    personal("models.*.api_key", Kind::secret, {},
             "Where its key is found: {env: NAME} or {command: [argv]}."),
    personal("models.*.preset", Kind::choice, "claude codex gemini agy opencode",
             "A known command line agent."),
    personal("models.*.argv", Kind::texts, {}, "Argument vector of a command.", 1, 64),
    personal("models.*.prompt", Kind::choice, "stdin argument", "How a command gets its prompt."),
    personal("models.*.output", Kind::choice, "text jsonl file", "What a command answers with."),
    {"roles.*",
     Kind::role,
     0,
     0,
     {},
     {},
     May::never,
     May::freely,
     nullptr,
     "Which model plays a role: its name, or {model, fallback: [names]}."},
    {"research.provider", Kind::choice, 0, 0, "model tavily brave searxng auto none", "\"auto\"",
     May::never, May::stricter, nullptr, "Who searches the web; none turns it off."},
    personal("research.url", Kind::url, {}, "Address of your own searxng instance."),
    personal("research.api_key", Kind::secret, {}, "Key of a search provider."),
    personal("research.fetchAllow", Kind::hosts, {},
             "host:port that may be fetched although it is private.", 0, 64),
    timeout("timeouts.framing", "300", millis<kTimeouts, &Timeouts::framing>,
            "Stage 1, in seconds."),
    timeout("timeouts.agent", "600", millis<kTimeouts, &Timeouts::agent>,
            "One agent's call, in seconds."),
    timeout("timeouts.stage2", "900", millis<kTimeouts, &Timeouts::stage2>,
            "All of stage 2, in seconds."),
    timeout("timeouts.converging", "600", millis<kTimeouts, &Timeouts::converging>,
            "Stage 3, in seconds."),
    timeout("timeouts.discovery", "30", millis<kTimeouts, &Timeouts::discovery>,
            "Looking for workflows, in seconds."),
    timeout("timeouts.discoverySync", "5", millis<kTimeouts, &Timeouts::discovery_sync>,
            "The last try to find workflows, in seconds."),
    timeout("timeouts.global", "2700", millis<kTimeouts, &Timeouts::global>,
            "A whole swarm, in seconds of machine time."),
    timeout("timeouts.tournamentRound", "900", millis<kTimeouts, &Timeouts::tournament_round>,
            "One round of a tournament, in seconds."),
    timeout("timeouts.tournamentGlobal", "5400", millis<kTimeouts, &Timeouts::tournament_global>,
            "A whole tournament, in seconds."),
    {"checkpoints", Kind::choice, 0, 0, "none gates all", "\"gates\"", May::stricter, May::freely,
     checkpoints, "When you are asked before the review: never, when something is wrong, always."},
    {"onIncomplete", Kind::choice, 0, 0, "proceed retry-then-proceed abort",
     "\"retry-then-proceed\"", May::never, May::freely, on_incomplete,
     "What happens when agents are missing and nobody is asked."},
    {"budget.usd",
     Kind::number,
     0,
     kMany,
     {},
     {},
     May::never,
     May::stricter,
     [](Settings& settings, const Json& value) { settings.budget.usd = value.get<double>(); },
     "Most that a session may cost, in US dollars."},
    {"budget.tokens",
     Kind::integer,
     0,
     1e15,
     {},
     {},
     May::never,
     May::stricter,
     [](Settings& settings, const Json& value) {
       settings.budget.tokens = value.get<std::int64_t>();
     },
     "Most tokens that a session may use."},
    {"budget.warnAt",
     Kind::number,
     0,
     1,
     {},
     "0.8",
     May::never,
     May::stricter,
     number<kBudget, &Budget::warn_at>,
     "Share of the budget at which you are warned."},
    count("limits.promptMin", 1, 100000, "10", integer<kLimits, &Limits::prompt_min>,
          "Shortest question, in characters."),
    count("limits.promptMax", 1, 100000, "1000", integer<kLimits, &Limits::prompt_max>,
          "Longest question, in characters."),
    count("limits.searches", 0, 10, "2", integer<kLimits, &Limits::searches>,
          "Web searches of one agent."),
    count("limits.fetches", 0, 10, "1", integer<kLimits, &Limits::fetches>,
          "Pages that one agent may fetch."),
    wait("limits.searchRetryWait", "30", millis<kLimits, &Limits::search_retry_wait>,
         "Wait before a failed search is tried again, in seconds."),
    wait("limits.groupingTimeout", "30", millis<kLimits, &Limits::grouping_timeout>,
         "Longest grouping call, in seconds."),
    wait("limits.groupingRetryWait", "5", millis<kLimits, &Limits::grouping_retry_wait>,
         "Wait before grouping is tried again, in seconds."),
    count("limits.concurrent", 1, 64, "5", integer<kLimits, &Limits::concurrent>,
          "Agents that work at once."),
    {"limits.messageBytes",
     Kind::integer,
     65536,
     1073741824,
     {},
     "67108864",
     May::never,
     May::never,
     integer<kLimits, &Limits::message_bytes>,
     "Largest message body from an editor, in bytes."},
    {"thresholds.collapse",
     Kind::number,
     0,
     1,
     {},
     "0.6",
     May::freely,
     May::freely,
     plain_number<&Settings::collapse>,
     "Similarity from which voices count as one."},
    {"thresholds.hybrid",
     Kind::number,
     0,
     1,
     {},
     "0.6",
     May::freely,
     May::freely,
     plain_number<&Settings::hybrid>,
     "Similarity from which proposals are merged."},
    {"archetypes",
     Kind::objects,
     3,
     8,
     kArchetypeColumns,
     {},
     May::never,
     May::freely,
     nullptr,
     "Your own set of lenses, three to eight."},
    {"angles",
     Kind::objects,
     0,
     64,
     kAngleColumns,
     {},
     May::never,
     May::freely,
     nullptr,
     "Your own angles of a tournament."},
    {"prices.*.input",
     Kind::number,
     0,
     kMany,
     {},
     {},
     May::never,
     May::freely,
     nullptr,
     "US dollars for a million tokens sent."},
    {"prices.*.output",
     Kind::number,
     0,
     kMany,
     {},
     {},
     May::never,
     May::freely,
     nullptr,
     "US dollars for a million tokens answered."},
    {"prices.*.cached",
     Kind::number,
     0,
     kMany,
     {},
     {},
     May::never,
     May::freely,
     nullptr,
     "US dollars for a million tokens read from a cache."},
    {"prohibitedPatterns",
     Kind::patterns,
     0,
     32,
     {},
     {},
     May::never,
     May::freely,
     patterns,
     "Regular expressions that no text sent to a model may match."},
    personal("handoffTargets", Kind::objects, "name! argv[]! cwd categories[]",
             "Your own programs to hand a result to.", 0, 64),
};

}  // namespace

std::span<const Key> keys() { return kKeys; }

std::string join(const Path& path) {
  std::string joined;
  for (const auto& part : path) {
    if (!joined.empty()) joined += '.';
    joined += part;
  }
  return joined;
}

std::vector<std::string_view> segments(std::string_view dotted) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto dot = dotted.find('.');
    parts.push_back(dotted.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    dotted.remove_prefix(dot + 1);
  }
}

namespace {

/// True when the first path.size() segments of `key` fit.
bool fits(const std::vector<std::string_view>& key, const Path& path) {
  if (path.size() > key.size()) return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (key[i] != "*" && key[i] != path[i]) return false;
  }
  return true;
}

}  // namespace

const Key* find_key(const Path& path) {
  for (const auto& key : kKeys) {
    const auto parts = segments(key.path);
    if (parts.size() == path.size() && fits(parts, path)) return &key;
  }
  return nullptr;
}

bool is_group(const Path& path) {
  for (const auto& key : kKeys) {
    const auto parts = segments(key.path);
    if (parts.size() > path.size() && fits(parts, path)) return true;
  }
  return false;
}

std::string environment_name(const Key& key) {
  // Names that the person chose would be ambiguous in upper case, lists of objects unreadable.
  if (key.kind == Kind::objects || key.path.find('*') != std::string_view::npos) return {};
  std::string name = "BRAINSTORM_";
  for (const char c : key.path) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper) name += '_';
    name += c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

}  // namespace brainstorm::settings
