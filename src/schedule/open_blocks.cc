#include "schedule/open_blocks.h"

namespace mazurka {
namespace {

bool depends(const AccessList& a, const Access* b, uint32_t b_count) {
  return conflict(a.items, a.count, b, b_count);
}

// `mask` is that of the accesses.
void taint(Taint& block, const PlanBlock& plan, const Access* all, ThreadId thread,
           const AccessList& accesses, const AccessMask& mask) {
  const bool hit =
      thread == plan.reversed || block.holds(thread) ||
      (mask.may_conflict(block.reversed) &&
       depends(accesses, all + plan.access_begin, plan.access_count)) ||
      (mask.may_conflict(block.mask) && depends(accesses, block.accesses, block.access_count));
  if (!hit) return;
  block.add(thread);
  AccessList its{block.accesses, kMaxTaint, block.access_count};
  const uint64_t known = block.mask.changes | block.mask.looks;
  for (uint32_t i = 0; i < accesses.count; ++i) {
    const Access& access = accesses.items[i];
    if ((known & AccessMask::bit_of(access.resource)) ==
        0) {  // nor is it listed twice by one operation
      its.add_new(access.resource, access.mode);
    } else {
      its.add(access.resource, access.mode);
    }
  }
  block.mask.add(mask);
  block.access_count = its.overflow ? kMaxTaint : its.count;
}

// Whether nothing can be asleep in it any more; or there is no room, then a trace is repeated at
// worst.
bool is_over(const Taint& block, const PlanBlock& plan, const Access* all) {
  if (block.access_count == kMaxTaint) return true;
  const bool may_cover = (block.reversed.changes & ~block.mask.changes) == 0 &&
                         (block.reversed.looks & ~block.mask.looks) == 0;
  return may_cover &&
         covers(block.accesses, block.access_count, all + plan.access_begin, plan.access_count);
}

// False: perhaps not.
bool reverse_the_same(const PlanBlocks& plan, const PlanBlock& a, const PlanBlock& b) {
  if (a.access_count != b.access_count) return false;
  const Access* of_a = plan.accesses + a.access_begin;
  const Access* of_b = plan.accesses + b.access_begin;
  bool same = true;
  for (uint32_t i = 0; i < a.access_count; ++i)
    same = same & (of_a[i].resource == of_b[i].resource) & (of_a[i].mode == of_b[i].mode);
  return same;
}

// Whether the thread could have been a better head than the block's.
bool comes_before_head(const PlanBlock& plan, ThreadId thread) {
  return index(thread) < index(plan.head) && thread != plan.reversed;
}

}  // namespace

bool covers(const Access* a, uint32_t a_count, const Access* b, uint32_t b_count) {
  for (uint32_t j = 0; j < b_count; ++j) {
    bool found = false;
    for (uint32_t i = 0; i < a_count && !found; ++i) {
      found =
          a[i].resource == b[j].resource && (a[i].mode == b[j].mode || a[i].mode == Mode::Write);
    }
    if (!found) return false;
  }
  return true;
}

void Taint::set_up(const PlanBlock& plan, const Access* all) {
  access_count = 0;
  mask = {};
  reversed = AccessMask::of(all + plan.access_begin, plan.access_count);
  for (uint64_t& word : threads) word = 0;
}

void Taint::take_over(const Taint& other) {
  mask = other.mask;
  reversed = other.reversed;
  for (access_count = 0; access_count < other.access_count; ++access_count)
    accesses[access_count] = other.accesses[access_count];
  for (uint32_t i = 0; i < kMaxThreads / 64; ++i) threads[i] = other.threads[i];
}

void OpenBlocks::close(uint32_t i) {
  if (i != --count) {
    open[i] = open[count];
    if (open[i].knows_any) taints[i].take_over(taints[count]);
  }
  if (count == 0) recent_count = recent_access_count = 0;
}

void OpenBlocks::open_those_at(const PlanBlocks& plan, uint32_t position) {
  for (; next < plan.count && plan.blocks[next].begin <= position; ++next) {
    if (plan.blocks[next].reversed == kNoThread) continue;
    if (count == kMaxOpenBlocks) learn_recent(plan);
    if (count == kMaxOpenBlocks)
      continue;  // then it lets nothing sleep: a duplicate at worst, never a loss
    OpenBlock& opened = open[count++];
    opened.block = next;
    opened.first_recent = recent_count;
    opened.knows_any = false;
  }
}

void OpenBlocks::note(const PlanBlocks& plan, uint32_t position, ThreadId thread,
                      const AccessList& accesses) {
  open_those_at(plan, position);
  if (count == 0) return;
  if (accesses.overflow) {  // it depends on all
    count = recent_count = recent_access_count = 0;
    return;
  }
  bool is_awaited = false;
  const PlanBlock* covered = nullptr;  // many blocks may have reversed the same step
  for (uint32_t i = count; i-- > 0;) {
    const PlanBlock& block = plan.blocks[open[i].block];
    if (block.reversed != thread) continue;
    if ((covered != nullptr && reverse_the_same(plan, *covered, block)) ||
        covers(accesses.items, accesses.count, plan.accesses + block.access_begin,
               block.access_count)) {
      covered = &block;
      close(i);
    } else {
      is_awaited = true;
    }
  }
  if (count == 0) return;
  add_recent(plan, thread, kNoThread, accesses.items, accesses.count);
  if (is_awaited) learn_recent(plan);  // with what others did, it may close a block
}

void OpenBlocks::note_creation(const PlanBlocks& plan, ThreadId creator, ThreadId created) {
  if (creator != kNoThread && count > 0) add_recent(plan, creator, created, nullptr, 0);
}

void OpenBlocks::add_recent(const PlanBlocks& plan, ThreadId thread, ThreadId created,
                            const Access* accesses, uint32_t access_count) {
  if (recent_count == kMaxRecent || recent_access_count + access_count > kMaxRecentAccesses) {
    learn_recent(plan);
    if (count == 0) return;
  }
  recent[recent_count++] = {thread, created, recent_access_count, access_count};
  for (uint32_t i = 0; i < access_count; ++i) recent_accesses[recent_access_count++] = accesses[i];
}

// Afterwards all open blocks know all.
void OpenBlocks::learn_recent(const PlanBlocks& plan) {
  for (uint32_t i = 0; i < recent_count && count > 0; ++i) learn(plan, i);
  for (uint32_t i = 0; i < count; ++i) open[i].first_recent = 0;
  recent_count = recent_access_count = 0;
}

void OpenBlocks::learn(const PlanBlocks& plan, uint32_t number) {
  const Recent step = recent[number];
  const AccessList accesses{recent_accesses + step.access_begin, step.access_count,
                            step.access_count};
  const AccessMask mask = AccessMask::of(accesses.items, accesses.count);
  for (uint32_t i = count; i-- > 0;) {
    if (open[i].first_recent > number) continue;
    const PlanBlock& planned = plan.blocks[open[i].block];
    Taint& its = taints[i];
    if (!open[i].knows_any) its.set_up(planned, plan.accesses);
    open[i].knows_any = true;
    if (step.created != kNoThread) {
      if (its.holds(step.thread)) its.add(step.created);
      continue;
    }
    taint(its, planned, plan.accesses, step.thread, accesses, mask);
    if (is_over(its, planned, plan.accesses)) close(i);
  }
}

bool OpenBlocks::may_hold_back(const PlanBlocks& plan, ThreadId thread) const {
  for (uint32_t i = 0; i < count; ++i) {
    if (comes_before_head(plan.blocks[open[i].block], thread)) return true;
  }
  return false;
}

bool OpenBlocks::hold_back(const PlanBlocks& plan, ThreadId thread, const AccessList& accesses) {
  if (accesses.overflow) return false;
  const auto could_be_head = [&](const OpenBlock& block) {
    const PlanBlock& planned = plan.blocks[block.block];
    return comes_before_head(planned, thread) &&
           depends(accesses, plan.accesses + planned.access_begin, planned.access_count);
  };
  if (recent_count > 0) {
    bool any = false;
    for (uint32_t i = 0; i < count && !any; ++i) any = could_be_head(open[i]);
    if (!any) return false;
    learn_recent(plan);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (knows_of(i, thread) || !could_be_head(open[i])) continue;
    if (!open[i].knows_any || !depends(accesses, taints[i].accesses, taints[i].access_count))
      return true;
  }
  return false;
}

}  // namespace mazurka
