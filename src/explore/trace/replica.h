// The tool's own copy of a program's world, rebuilt from an execution: which outcomes would a
// thread's operation have after other events than those that came before it, and what would it
// access there? en(r, F) of the reverse search (optimal_search.h) and of the wakeup trees
// (wakeup_search.h).
//
// The operation that a thread stands before after a configuration is known without running it: its
// next event, or what it stood before in the end.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "explore/trace/happens_before.h"
#include "explore/trace/world_copy.h"
#include "objects/access_mask.h"
#include "objects/world.h"

namespace mazurka {

// A transition that could happen: a thread's operation with one outcome, in one state.
struct Label {
  Choice choice;
  std::vector<Access> accesses;
  bool touches_everything = false;
  AccessMask mask;  // of the accesses
};

class Replica {
 public:
  struct Free {
    void operator()(World* world) const { std::free(world); }
  };
  using WorldPointer = std::unique_ptr<World, Free>;

  // Worlds are large: one replica for a whole search, and the next one of this thread gets them.
  Replica();
  ~Replica();
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  // `order` must stay as it is until the next call. `bound`: transitions that a thread may make; 0
  // for no bound. `goes_on`: the execution begins as the last one did, and has what the order has
  // kept in common with it (common_prefix.h). `common`: the states at the beginning and after so
  // many events are kept, because the next execution is expected to begin with them.
  static constexpr uint32_t kNone = UINT32_MAX;
  void read(const HappensBefore& order, uint32_t bound, bool goes_on = false,
            uint32_t common = kNone);

  // What the thread stands before after `count` of its events; null if that is nothing (or is not
  // known).
  const Operation* operation(uint32_t slot, uint32_t count) const {
    if (has_parts_) return pending_[begin_[slot] + count];
    if (count < order_->length(slot)) return &order_->transition(order_->event(slot, count)).op;
    const ThreadAtEnd* end = order_->at_end(slot);
    return end != nullptr && end->stands_before_operation() ? &end->pending : nullptr;
  }

  // Replays the first `count` events: then go_to need not. Cheap from smaller ones. Requires that
  // what follows, before anything is asked, is go_to.
  void go_to_prefix(uint32_t count);
  // Replays a configuration. Requires that it contains the prefix.
  void go_to(const Configuration& set);

  // In the state gone to last. Smallest first; empty if disabled.
  const std::vector<Outcome>& enabled(uint32_t slot);
  // Requires that the outcome is enabled there.
  void label(uint32_t slot, Outcome outcome, Label& out);
  // With all that the operation may access, whatever its result. Requires that the thread stands
  // before one there.
  void possible_label(uint32_t slot, Label& out);
  // Whether the thread stands before an operation there, enabled or not.
  bool stands(uint32_t slot) const;

  // Whether it stands there, and has made all the transitions that it may.
  bool stands_at_bound(uint32_t slot) const;

  // The state gone to last.
  const World& world() const { return *here_; }

  // False once a replay did not do what the execution did: then the execution was not what the
  // models say.
  bool is_faithful() const { return is_faithful_; }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  struct State {
    uint32_t position = 0;  // events before it
    WorldCopy world;
  };

  void begin();
  void keep_state();
  bool has_parts() const;
  void read_operations();
  const Operation* with_parts(const Operation& op, const std::vector<OpPart>& parts);
  bool find_first_settings(bool begins_as_before);
  void start(World& world);
  void do_event(World& world, uint32_t event);
  void do_invisible(World& world, const Invisible& invisible);
  void stand(World& world, uint32_t slot, uint32_t count) const;

  const HappensBefore* order_ = nullptr;
  uint32_t bound_ = 0;
  bool is_faithful_ = true;
  uint32_t common_ = kNone;
  std::vector<State> states_;  // that are known, by position: the first `state_count_`
  size_t state_count_ = 0;
  WorldPointer prefix_;    // after the first position_ events
  WorldPointer world_;     // after the configuration, if that is larger
  World* here_ = nullptr;  // one of the two
  uint32_t position_ = kNowhere;
  bool has_parts_ = false;
  std::vector<uint32_t> begin_;  // by slot, in pending_; if there are parts
  std::vector<const Operation*>
      pending_;  // by slot and count: the execution's, or with parts in the worlds
  std::deque<Operation> with_parts_;  // those that have parts
  std::unordered_map<uint64_t, uint32_t>
      part_begins_;  // in the worlds, by where and how many they were in the program's
  std::vector<ObjectId> objects_;                    // that the execution set up
  std::vector<const ObjectSetting*> first_setting_;  // by object
  bool has_no_later_settings_ = false;               // but those before the first transition
  std::vector<ObjectSetting> settings_before_;       // those of the execution before
  std::vector<Outcome> outcomes_;
  std::vector<Access> accesses_;  // room for those of one label
};

}  // namespace mazurka
