// A stack and a queue in chunks: they grow without moving, so that a search of any depth needs no
// more than what it holds, and give back what they no longer hold.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <new>

#include "lts/model/memory_budget.h"

namespace mazurka::lts {

template <typename T>
class Chunks {
 public:
  explicit Chunks(MemoryBudget& budget) : budget_(budget) {}
  ~Chunks() { budget_.give_back(chunks_.size() * kChunkBytes + (spare_ ? kChunkBytes : 0)); }
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;

  bool empty() const { return begin_ == end_; }
  size_t size() const { return end_ - begin_; }

  // False if there is no memory for it.
  bool push(const T& item) {
    if (end_ == chunks_.size() * kChunk && !add_chunk()) return false;
    chunks_[end_ / kChunk][end_ % kChunk] = item;
    ++end_;
    return true;
  }

  // The rest requires !empty(). A stack uses the last item, a queue the first.
  T& last() { return chunks_[(end_ - 1) / kChunk][(end_ - 1) % kChunk]; }

  void pop_last() {
    --end_;
    if (end_ % kChunk == 0) {
      recycle(std::move(chunks_.back()));
      chunks_.pop_back();
    }
  }

  T pop_first() {
    const T item = chunks_[0][begin_];
    if (++begin_ == kChunk) {
      recycle(std::move(chunks_.front()));
      chunks_.pop_front();
      begin_ -= kChunk;
      end_ -= kChunk;
    } else if (begin_ == end_) {
      begin_ = end_ = 0;
      while (!chunks_.empty()) {
        recycle(std::move(chunks_.back()));
        chunks_.pop_back();
      }
    }
    return item;
  }

 private:
  static constexpr size_t kChunk = 4096;
  static constexpr size_t kChunkBytes = kChunk * sizeof(T);

  bool add_chunk() {
    if (!spare_) {
      if (!budget_.take(kChunkBytes)) return false;
      spare_.reset(new (std::nothrow) T[kChunk]);
      if (!spare_) return false;
    }
    chunks_.push_back(std::move(spare_));
    return true;
  }

  // One chunk is kept: a search that goes up and down at a chunk's end would allocate at each step.
  void recycle(std::unique_ptr<T[]> chunk) {
    if (spare_) budget_.give_back(kChunkBytes);
    spare_ = std::move(chunk);
  }

  MemoryBudget& budget_;
  std::deque<std::unique_ptr<T[]>> chunks_;
  std::unique_ptr<T[]> spare_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace mazurka::lts
