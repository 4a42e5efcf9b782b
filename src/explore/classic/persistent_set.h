// Persistent sets: which threads' transitions suffice in a state (Godefroid's thesis, algorithm 2;
// Stoller, section 8, algorithm 2), from footprints that executions have taught.
//
// Where we differ: of a disabled thread in the set, only those are added without whom it stays
// disabled (the owner of the mutex, the one it joins, its wakers), as Valmari's stubborn sets do.
// The footprint of a thread is that of its remaining life, by how many transitions it has made.
#pragma once

#include <vector>

#include "explore/classic/footprints.h"
#include "explore/trace/state_replay.h"

namespace mazurka {

class PersistentSets {
 public:
  PersistentSets(const Footprints& footprints, uint32_t bound)
      : footprints_(footprints), bound_(bound) {}

  // The state in question.
  void read(const StateReplay& state);

  // The smallest set of threads that contains the first one and is closed: their enabled
  // transitions are persistent here. Requires that the first one is enabled.
  const std::vector<ThreadId>& close(ThreadId first);

 private:
  bool is_member(ThreadId id) const { return member_[index(id)]; }
  void add(ThreadId id);
  void add_conflicting(ThreadId member, const AccessList& accesses);
  void add_who_may_signal(ThreadId member);
  void add_who_may(const Access& access);
  void add_enablers(ThreadId member, const Operation& op);
  bool add_known_enablers(ThreadId member, const Operation& op);
  bool add_owner(ThreadId member, ObjectId mutex);
  bool may_conflict(ThreadId other, ThreadId member, const Access& access) const;

  const Footprints& footprints_;
  uint32_t bound_;
  const StateReplay* state_ = nullptr;
  std::vector<bool> is_there_;  // by thread
  std::vector<bool> member_;    // by thread
  std::vector<ThreadId> threads_;
};

}  // namespace mazurka
