// What the operations of an execution may access and what may disable them, wherever in any order
// of its events they stand: a bound from above that is known without a replay. The reverse search
// uses it to pass over the pairs of events that cannot be reversed (optimal_children.h).
//
// An operation's accesses depend on the state of what it names; mostly on whether it is a misuse,
// which ends the process and so accesses all of it. It becomes one only by something that the
// execution shows: its object was destroyed or set up again, its condition used with another mutex,
// its thread joined elsewhere. Where there is any such thing, the mask has everything in it.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/trace/happens_before.h"
#include "objects/access_mask.h"

namespace mazurka {

class OperationMasks {
 public:
  // `order` must stay as it is until the next call.
  void read(const HappensBefore& order, bool all_dependent);

  // Of what happened: all its accesses.
  const AccessMask& accesses(uint32_t event) const { return masks_of(event).every; }
  // Its accesses, but for the lives of threads that it writes, by creating or
  // joining them. Those are no reason to look: nothing of a thread comes before its creation or
  // after its join.
  const AccessMask& event(uint32_t event) const { return masks_of(event).all; }
  // The resources by whose change it may disable another thread's operation: all that it changes,
  // but for what it only frees.
  uint64_t disables(uint32_t event) const { return masks_of(event).disables; }

  // Of what the thread stands before after `count` of its events: all that it may access in any
  // configuration. Nothing (no bits) if it stands before nothing.
  const AccessMask& operation(uint32_t slot, uint32_t count) const {
    return operation_masks(slot, count).all;
  }
  // Whether it is no misuse in any configuration.
  bool is_exact(uint32_t slot, uint32_t count) const {
    return operation_masks(slot, count).is_exact;
  }
  // Resources of which a change may disable it; none if it does not block.
  uint64_t disabling(uint32_t slot, uint32_t count) const {
    return operation_masks(slot, count).disabling;
  }

  // The same of what an event did, and of what a thread stands before in the end.
  uint64_t disabling_event(uint32_t event) const {
    const bool blocks = all_dependent_ || order_->digest(event).may_block;
    return blocks ? operation_mask(event).disabling : 0;
  }
  uint64_t disabling_pending(uint32_t slot) const { return pending_[slot].disabling; }

  // Whether the second event's thread is joined by the first one, an event of another thread: then
  // waits_for is true.
  bool joins_after(uint32_t join, uint32_t event) const {
    const Digest& digest = order_->digest(join);
    return digest.op.kind == OpKind::Join && digest.op.target == order_->digest(event).thread &&
           (digest.op.flags & (kTry | kTimed)) == 0 && operation_mask(join).is_exact;
  }

  // Whether the operation cannot be enabled without the event, in any configuration that has all
  // that came before the event: the event frees what it waits for. Requires that `op` is the
  // thread's after `count` of its events, and that the event is another thread's.
  bool waits_for(uint32_t slot, const Operation& op, uint32_t count, uint32_t event) const;

 private:
  // Of an event that depends on all.
  static constexpr EventMasks kAllMasks{AccessMask::everything(), AccessMask::everything(),
                                        UINT64_MAX};

  // What the execution tells of an object.
  struct Known {
    bool listed = false;
    bool dangerous = false;  // an operation on it may be a misuse in one order and none in another
    bool set = false;
    bool waited = false;
    ObjectId mutex = kNoObject;  // of those who wait on it
  };

  const OperationMask& operation_masks(uint32_t slot, uint32_t count) const {
    return count < order_->length(slot) ? operation_mask(order_->event(slot, count))
                                        : pending_[slot];
  }
  const EventMasks& masks_of(uint32_t event) const {
    return order_->touches_everything(event) ? kAllMasks : order_->digest(event).event;
  }
  const OperationMask& operation_mask(uint32_t event) const {
    const Digest& digest = order_->digest(event);
    const bool is_plain = !digest.is_remarkable && are_mostly_exact_;
    const bool is_exact =
        !digest.has_misuse && (is_plain || is_safe(order_->slot(event), digest.op));
    return is_exact ? digest.operation : any_mask(all_dependent_ || digest.may_block);
  }
  void note_dangers();
  void note_settings(const Invisible& invisible);
  void note_operation(const Operation& op);
  void note_danger(Known& object);
  Known& known(ObjectId id);
  uint32_t slot_of(ThreadId id) const;
  bool is_dangerous(ObjectId object) const;
  bool is_only_join(uint32_t slot, ThreadId target) const;
  bool is_safe(uint32_t slot, const Operation& op) const;
  void read_all_pending();
  void read_pending(uint32_t slot);

  const HappensBefore* order_ = nullptr;
  bool all_dependent_ = false;
  bool can_be_exact_ = false;           // any of the operations
  bool are_mostly_exact_ = false;       // all but those that are remarkable (digest.h)
  bool has_pending_ = true;             // any of the next
  std::vector<OperationMask> pending_;  // by slot: of what its thread stands before in the end
  std::vector<Known> known_;            // by object
  bool has_dangers_ = false;
  std::vector<ObjectId> objects_;  // of which something is known
  std::vector<uint8_t> joins_;     // by slot: operations that join it; 2 is many
};

}  // namespace mazurka
