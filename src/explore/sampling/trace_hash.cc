#include "explore/sampling/trace_hash.h"

#include <bit>

namespace mazurka {
namespace {

uint64_t mix_half(uint64_t value) {
  value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
  value = (value ^ (value >> 29)) * 0xa0761d6478bd642f;
  return value ^ (value >> 32);
}

// The order of what is added counts. Both halves take in both numbers: else two threads that swap
// their outcomes would have the same sums.
TraceHash with(const TraceHash& hash, uint64_t low, uint64_t high) {
  const uint64_t one = low * 0x9e3779b97f4a7c15 + std::rotl(high * 0xc2b2ae3d27d4eb4f, 32);
  const uint64_t other = high * 0x165667b19e3779f9 + std::rotl(low * 0xff51afd7ed558ccd, 29);
  return {mix_half(std::rotl(hash.low, 7) ^ (one + 0x9e3779b97f4a7c15)),
          mix_half(std::rotl(hash.high, 13) + (other ^ 0xe7037ed1a0b428db))};
}

TraceHash with(const TraceHash& hash, const TraceHash& more) {
  return with(hash, more.low, more.high);
}

// It does not count here.
void add(TraceHash& sum, const TraceHash& more) {
  sum.low += more.low;
  sum.high += more.high;
}

}  // namespace

TraceHasher::Past& TraceHasher::past_of(Resource resource) {
  if (2 * used_ >= pasts_.size()) grow();
  const size_t mask = pasts_.size() - 1;
  size_t i = mix_half(std::bit_cast<uint64_t>(resource)) & mask;
  while (pasts_[i].number == number_ && pasts_[i].resource != resource) i = (i + 1) & mask;
  Past& past = pasts_[i];
  if (past.number != number_) {
    past = {resource, number_, everything_, {}, {}};
    ++used_;
  }
  return past;
}

void TraceHasher::grow() {
  std::vector<Past> old(2 * pasts_.size());
  old.swap(pasts_);
  used_ = 0;
  for (const Past& past : old) {
    if (past.number == number_) past_of(past.resource) = past;
  }
}

// A resource that is in `made.accesses` twice is changed after it was looked at twice.
TraceHash TraceHasher::hash(const Transition& made) {
  const uint32_t thread = index(made.choice.thread);
  if (numbers_[thread] != number_) {
    numbers_[thread] = number_;
    threads_[thread] = everything_;
  }
  TraceHash all = with(threads_[thread], thread, made.choice.outcome);
  if (made.accesses_everything) return with(all, sum_);
  TraceHash looked_at;  // the order in which accesses are listed means nothing
  for (const Access& access : made.accesses) {
    const Past& past = past_of(access.resource);
    TraceHash its = with(past.written, std::bit_cast<uint64_t>(access.resource),
                         static_cast<uint64_t>(access.mode));
    if (access.mode != Mode::Read) its = with(its, past.read);
    if (access.mode != Mode::Add) its = with(its, past.added);
    add(looked_at, its);
  }
  return with(all, looked_at);
}

TraceHash TraceHasher::of(const Execution& execution) {
  ++number_;
  used_ = 0;
  sum_ = everything_ = {};
  for (const Transition& made : execution.transitions) {
    const TraceHash own = hash(made);
    threads_[index(made.choice.thread)] = own;
    add(sum_, own);
    if (made.accesses_everything) {
      everything_ = own;
      ++number_;  // all are forgotten
      used_ = 0;
      continue;
    }
    for (const Access& access : made.accesses) {
      Past& past = past_of(access.resource);
      if (access.mode == Mode::Write) {
        past.written = own;
        past.read = past.added = {};
      } else {
        add(access.mode == Mode::Read ? past.read : past.added, own);
      }
    }
  }
  return with(sum_, static_cast<uint64_t>(execution.end), execution.transitions.size());
}

}  // namespace mazurka
