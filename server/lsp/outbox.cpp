#include "server/lsp/outbox.h"

#include <utility>

namespace brainstorm {
namespace {

/// Frames are written together up to this size; a pipe takes 64 KiB at most anyway.
constexpr std::size_t kBatch = std::size_t{64} << 10;

}  // namespace

Outbox::Outbox(Write write, Blocked blocked, std::size_t budget)
    : write_(std::move(write)), blocked_(std::move(blocked)), budget_(budget) {}

void Outbox::push(std::string frame, Keep keep, const std::string& key) {
  if (broken_) return;
  if (keep == Keep::latest && merge(frame, key)) return;
  if (keep == Keep::loosely && bytes_ + frame.size() > budget_) {
    ++dropped_;
    return;
  }
  enqueue(std::move(frame), keep, key);
  if (!held_ && !waiting_) flush();
  if (bytes_ > budget_ && loose_ > 0) drop_loose();
}

void Outbox::release() {
  held_ = false;
  if (!waiting_) flush();
}

void Outbox::flush() {
  waiting_ = false;
  while (!broken_ && !empty()) {
    if (batch_.empty()) next_batch();
    if (!write_batch()) return;
  }
}

bool Outbox::merge(std::string& frame, const std::string& key) {
  const auto found = latest_.find(key);
  if (found == latest_.end()) return false;
  Entry& entry = *found->second;
  bytes_ += frame.size();
  bytes_ -= entry.frame.size();
  entry.frame = std::move(frame);
  return true;
}

void Outbox::enqueue(std::string frame, Keep keep, const std::string& key) {
  bytes_ += frame.size();
  queue_.push_back(Entry{std::move(frame), keep, key});
  if (keep == Keep::loosely) ++loose_;
  if (keep == Keep::latest) latest_[key] = std::prev(queue_.end());
}

void Outbox::next_batch() {
  batch_ = std::move(queue_.front().frame);
  remove(queue_.begin());
  while (!queue_.empty() && batch_.size() + queue_.front().frame.size() <= kBatch) {
    batch_ += queue_.front().frame;
    remove(queue_.begin());
  }
}

/// False: the writer is full, or gone.
bool Outbox::write_batch() {
  const auto written = write_(std::string_view(batch_).substr(batch_written_));
  if (!written) {
    give_up();
    return false;
  }
  batch_written_ += *written;
  bytes_ -= *written;
  if (batch_written_ < batch_.size()) {
    waiting_ = true;
    blocked_();
    return false;
  }
  batch_.clear();
  batch_written_ = 0;
  return true;
}

void Outbox::drop_loose() {
  for (auto entry = queue_.begin(); entry != queue_.end();) {
    if (entry->keep != Keep::loosely) {
      ++entry;
      continue;
    }
    bytes_ -= entry->frame.size();
    ++dropped_;
    entry = remove(entry);
  }
}

Outbox::Queue::iterator Outbox::remove(Queue::iterator entry) {
  if (entry->keep == Keep::loosely) --loose_;
  if (entry->keep == Keep::latest) latest_.erase(entry->key);
  return queue_.erase(entry);
}

void Outbox::give_up() {
  broken_ = true;
  queue_.clear();
  latest_.clear();
  batch_.clear();
  batch_written_ = bytes_ = loose_ = 0;
}

}  // namespace brainstorm
