#pragma once
// What waits to be written. Reading never waits for writing, so a client that does not read is met
// here: beyond the budget streamed text is dropped first, pictures of the same thing merge,
// requests and responses are always kept.

#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "protocol/result.h"

namespace brainstorm {

enum class Keep {
  always,  // requests, responses, what is said once
  latest,  // a newer one with the same key replaces it while it waits
  loosely  // dropped beyond the budget
};

class Outbox {
 public:
  static constexpr std::size_t kBudget = std::size_t{8} << 20;

  /// Writes what fits without waiting and returns how much that was; an error is the end of the
  /// connection.
  using Write = std::function<Result<std::size_t>(std::string_view)>;
  /// Called once whenever the writer is full: flush() must be called when it may take more.
  using Blocked = std::function<void()>;

  Outbox(Write write, Blocked blocked, std::size_t budget = kBudget);

  /// `frame` is a whole message with its header; it is written at once when nothing waits.
  /// `key` names what a Keep::latest frame is the picture of.
  void push(std::string frame, Keep keep, const std::string& key = {});
  /// Between hold() and release() frames are collected and then written together.
  void hold() { held_ = true; }
  void release();
  /// Writes what fits now.
  void flush();

  bool empty() const { return queue_.empty() && batch_.empty(); }
  std::size_t bytes() const { return bytes_; }
  std::size_t dropped() const { return dropped_; }
  /// The reader is gone: everything is thrown away from then on.
  bool broken() const { return broken_; }

 private:
  struct Entry {
    std::string frame;
    Keep keep;
    std::string key;
  };
  using Queue = std::list<Entry>;

  bool merge(std::string& frame, const std::string& key);
  void enqueue(std::string frame, Keep keep, const std::string& key);
  void next_batch();
  bool write_batch();
  void drop_loose();
  Queue::iterator remove(Queue::iterator entry);
  void give_up();

  Write write_;
  Blocked blocked_;
  std::size_t budget_;
  Queue queue_;
  std::unordered_map<std::string, Queue::iterator> latest_;
  std::string batch_;  // whole frames that are being written: out of the queue, not changeable
  std::size_t batch_written_ = 0;
  std::size_t bytes_ = 0;  // unwritten, of queue and batch
  std::size_t loose_ = 0;  // queued entries that may be dropped
  std::size_t dropped_ = 0;
  bool waiting_ = false;  // blocked_ was called and flush() did not come yet
  bool held_ = false;
  bool broken_ = false;
};

}  // namespace brainstorm
