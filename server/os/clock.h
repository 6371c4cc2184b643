#pragma once
// The world's time and randomness.

#include "commands/ports.h"

namespace brainstorm {

/// The Clock of the running product. sleep() runs on the executor of the coroutine that calls it
/// and counts suspended time: after a resume a deadline that passed meanwhile fires within 30
/// seconds. Nothing wakes up while nobody sleeps.
class SystemClock : public Clock {
 public:
  WallTime wall() const override;
  Millis monotonic() const override;
  Task<void> sleep(Millis duration) override;
  std::uint64_t random() override;
};

}  // namespace brainstorm
