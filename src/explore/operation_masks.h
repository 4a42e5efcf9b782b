// What the operations of an execution may access and what may disable them, wherever in any order of
// its events they stand: a bound from above that is known without a replay. The reverse search uses
// it to pass over the pairs of events that cannot be reversed (optimal_children.h).
//
// An operation's accesses depend on the state of what it names; mostly on whether it is a misuse,
// which ends the process and so accesses all of it. It becomes one only by something that the
// execution shows: its object was destroyed or set up again, its condition used with another mutex,
// its thread joined elsewhere. Where there is any such thing, the mask has everything in it.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/access_mask.h"
#include "explore/happens_before.h"

namespace mazurka {

class OperationMasks {
 public:
  // `order` must stay as it is until the next call. What it has kept since the last one stays known.
  void read(const HappensBefore& order, bool all_dependent);

  // Of what happened: all its accesses.
  const AccessMask& accesses(uint32_t event) const { return events_[event]->every; }
  // Its accesses, but for the lives of threads that it writes, by creating or
  // joining them. Those are no reason to look: nothing of a thread comes before its creation or
  // after its join.
  const AccessMask& event(uint32_t event) const { return events_[event]->all; }
  // The resources by whose change it may disable another thread's operation: all that it changes,
  // but for what it only frees.
  uint64_t disables(uint32_t event) const { return events_[event]->disables; }

  // Of what the thread stands before after `count` of its events: all that it may access in any
  // configuration. Nothing (no bits) if it stands before nothing.
  const AccessMask& operation(uint32_t slot, uint32_t count) const {
    return operation_masks(slot, count).all;
  }
  // Resources of which a change may disable it; none if it does not block.
  uint64_t disabling(uint32_t slot, uint32_t count) const {
    return operation_masks(slot, count).disabling;
  }

  // The same of what an event did, and of what a thread stands before in the end.
  uint64_t disabling_event(uint32_t event) const { return operations_[event]->disabling; }
  uint64_t disabling_pending(uint32_t slot) const { return pending_[slot].disabling; }

  // Whether the operation cannot be enabled without the event, in any configuration that has all
  // that came before the event: the event frees what it waits for. Requires that `op` is the
  // thread's after `count` of its events, and that the event is another thread's.
  bool waits_for(uint32_t slot, const Operation& op, uint32_t count, uint32_t event) const;

 private:
  // What the execution tells of an object.
  struct Known {
    bool listed = false;
    bool dangerous = false;  // an operation on it may be a misuse in one order and none in another
    bool set = false;
    bool waited = false;
    ObjectId mutex = kNoObject;  // of those who wait on it
  };

  const OperationMask& operation_masks(uint32_t slot, uint32_t count) const {
    return count < order_->length(slot) ? *operations_[order_->event(slot, count)] : pending_[slot];
  }
  // Whether what makes operations safe is what it was in the execution before.
  bool note_dangers();
  void note_settings(const Invisible& invisible);
  void note_operation(const Operation& op);
  void note_danger(Known& object);
  Known& known(ObjectId id);
  uint32_t slot_of(ThreadId id) const;
  bool is_dangerous(ObjectId object) const;
  bool is_only_join(uint32_t slot, ThreadId target) const;
  bool is_safe(uint32_t slot, const Operation& op) const;
  void read_event(uint32_t event);
  void read_pending(uint32_t slot);

  const HappensBefore* order_ = nullptr;
  bool all_dependent_ = false;
  std::vector<const EventMasks*> events_;
  std::vector<const OperationMask*> operations_;  // by event
  std::vector<OperationMask> pending_;  // by slot: of what its thread stands before in the end
  std::vector<Known> known_;       // by object
  bool has_dangers_ = false;
  std::vector<ObjectId> objects_;  // of which something is known
  std::vector<uint8_t> joins_;     // by slot: operations that join it; 2 is many
  std::vector<uint8_t> joins_before_;  // in the execution before
};

}  // namespace mazurka
