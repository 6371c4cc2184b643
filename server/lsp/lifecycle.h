#pragma once
// The life of a connection as a pure state machine: which messages are let through when, and with
// which code the process ends.

#include <string_view>

namespace brainstorm {

class Lifecycle {
 public:
  enum class Verdict {
    admit,
    not_initialized,  // -32002
    invalid,          // -32600: a second initialize, or a request after shutdown
    drop,             // a notification that may be ignored
  };

  Verdict request(std::string_view method) const;
  Verdict notification(std::string_view method) const;

  /// initialize was answered with success.
  void initialized();
  /// The client said `initialized`: from now on we may speak unasked. A client that never says it
  /// but sends requests counts as ready too.
  void client_ready();
  void shutdown();

  bool is_client_ready() const { return client_ready_; }
  bool is_shut_down() const { return phase_ == Phase::shut_down; }
  /// Of the process, when `exit` arrives; every other end (EOF, a broken stream, a dead parent)
  /// is 1.
  int exit_code() const { return is_shut_down() ? 0 : 1; }

 private:
  enum class Phase { created, running, shut_down };
  Phase phase_ = Phase::created;
  bool client_ready_ = false;
};

}  // namespace brainstorm
