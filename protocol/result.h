#pragma once
// Errors are values. Every fallible function returns Result<T>; exceptions stay inside the
// libraries that throw them and, for cancellation, inside coroutines (see CONTRIBUTING.md).

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace brainstorm {

/// What went wrong, as a closed set. The wire names (`to_string`) are stable: clients match on
/// them, so a name may be added, never changed. protocol/README.md lists them for client authors.
enum class ErrorCode {
  invalid_argument,   // data["field"]: path of the offending argument
  parse_error,        // malformed JSON, YAML or front matter; data["line"] where known
  too_large,          // over a documented cap
  not_found,          // a file or entry that does not exist
  outside_workspace,  // a path that leaves the folder it must stay in
  unsupported,        // this build or this model does not do that
  cancelled,          // the caller asked for it to stop
  deadline,           // a time limit passed
  internal,           // a broken invariant of ours

  prompt_too_short,
  prompt_too_long,
  prompt_too_few_words,
  prompt_prohibited,  // a credential or a prohibited pattern; never echoed

  folder_missing,    // no workspace folder where one is needed
  folder_ambiguous,  // several folders and none named
  read_only,         // the place for our files cannot be written
  disk_full,
  io_failed,

  session_not_found,
  session_ambiguous,  // a prefix that fits several sessions
  session_locked,     // another process works on it; data: pid, host, since
  session_changed,    // another id, state or revision on disk than expected
  session_broken,     // neither the state file nor its backup can be read
  session_newer,      // written by a newer schema; may be read only
  wrong_state,        // the action does not fit the session's state

  already_decided,
  decision_missing,  // nothing is open to be decided
  decision_ambiguous,
  choice_unknown,

  settings_invalid,   // data: file, line, key
  restricted,         // an untrusted workspace may not start anything
  model_unknown,      // a name that no setting defines
  model_unavailable,  // unreachable, or not usable here
  model_failed,       // it answered with an error or with nothing usable
  quorum_missed,      // too few perspectives to converge
};

/// The wire name, e.g. "session_locked".
std::string_view to_string(ErrorCode code);

/// An error a person can act on: what happened (`message`), what to do next (`hint`), and the facts
/// behind it (`data`: flat, never a secret).
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
  std::string hint;
  std::map<std::string, std::string> data;

  bool operator==(const Error&) const = default;
};

/// A value or an Error. Converts from both, so functions read `return value;` and `return
/// Error{…};`.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using Base = tl::expected<T, Error>;
  using Base::Base;
  // NOLINTNEXTLINE(google-explicit-constructor): an Error is meant to convert
  Result(Error error) : Base(tl::unexpect, std::move(error)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Base base) : Base(std::move(base)) {}
};

using Ok = Result<void>;

}  // namespace brainstorm

#define BRAINSTORM_CONCAT_(a, b) a##b
#define BRAINSTORM_CONCAT(a, b) BRAINSTORM_CONCAT_(a, b)
#define BRAINSTORM_TRY(name, decl, expr, ret)                  \
  auto name = (expr);                                          \
  if (!name) ret ::brainstorm::Error(std::move(name).error()); \
  decl = *std::move(name)

/// `TRY(auto x, f());` binds the value or returns the error. CO_TRY is the same inside a coroutine.
#define TRY(decl, expr) BRAINSTORM_TRY(BRAINSTORM_CONCAT(try_, __LINE__), decl, expr, return )
#define CO_TRY(decl, expr) BRAINSTORM_TRY(BRAINSTORM_CONCAT(try_, __LINE__), decl, expr, co_return )

/// For Result<void>: pass an error on, go on otherwise.
#define TRY_OK(expr)                                                                          \
  do {                                                                                        \
    if (auto try_ok = (expr); !try_ok) return ::brainstorm::Error(std::move(try_ok).error()); \
  } while (false)
#define CO_TRY_OK(expr)                                                    \
  do {                                                                     \
    auto try_ok = (expr);                                                  \
    if (!try_ok) co_return ::brainstorm::Error(std::move(try_ok).error()); \
  } while (false)
