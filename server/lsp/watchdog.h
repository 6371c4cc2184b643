#pragma once
// Nothing may hold the one thread for long; what does is named on stderr.

#include <chrono>
#include <string>

namespace asio {
class io_context;
}

namespace brainstorm {

/// Over this, one turn of the loop is reported.
inline constexpr std::chrono::milliseconds kLongTurn{50};

/// Measures the wall time of a scope.
class Turn {
 public:
  /// `what` outlives the object.
  explicit Turn(const std::string& what);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const std::string& what_;
  std::chrono::steady_clock::time_point started_;
};

/// Runs the loop until it is stopped or has nothing left, and measures the CPU time of each turn
/// (its wall time would include the wait for something to do).
void run_watched(asio::io_context& io);

}  // namespace brainstorm
