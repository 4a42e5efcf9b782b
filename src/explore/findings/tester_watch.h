// Watches executions for what a tester forbids (definition 7 of Latvala and Tauriainen, on the LTS
// whose states are the global states of a program and whose visible actions are its events).
//
// Illegal finite traces show in the events of an execution: all events are dependent, so a trace
// has one sequence of them. Illegal stable failures show in states that the execution need not go
// through. Where they are, and why none is missed although the search is reduced: docs/lts.md.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "execution/program.h"
#include "explore/findings/findings.h"
#include "explore/findings/program_tester.h"
#include "explore/trace/happens_before.h"
#include "explore/trace/replica.h"
#include "lts/model/tester_states.h"

namespace mazurka {

class TesterWatch {
 public:
  // `program` knows the events' names, and must outlive it. `bound`: transitions that a thread may
  // make; 0 for no bound.
  TesterWatch(std::shared_ptr<const ProgramTester> tester, const Program& program, uint32_t bound);

  // What the tester forbids and the execution shows, in the order in which it shows.
  std::vector<Sighting> sightings(const Execution& execution);

  // False once a state could not be looked at, because the execution was not what the models say.
  bool has_seen_all() const { return has_seen_all_; }

  // Events that the tester names, and that no execution so far has made.
  std::vector<std::string> events_never_made() const;

 private:
  using SetId = lts::TesterStates::SetId;

  // Nothing if the tester does not see it.
  std::optional<lts::ActionId> action_of(const Operation& op);
  void note_events(const Execution& execution);
  void look_for_rejects(const std::vector<uint32_t>& before, SetId set, uint32_t length);
  void look_before(uint32_t event, lts::ActionId action, SetId set);
  void look_at_end(SetId set);
  bool may_refuse(SetId set, lts::ActionId action) const;
  // Goes to the state in which all has happened that need not come after the event.
  bool go_before(uint32_t event);
  // The events that are enabled there. False if the program can go on without one.
  bool read_offers();
  std::vector<ThreadId> standing() const;
  std::vector<uint32_t> steps_there() const;
  bool has(uint32_t state, uint8_t bit) const { return (tester_->tester.sets[state] & bit) != 0; }
  TesterSighting about(lts::ViolationKind kind, uint32_t state) const;
  void add_failure(uint32_t state, const std::vector<ThreadId>& threads,
                   std::vector<uint32_t> steps);

  std::shared_ptr<const ProgramTester> tester_;
  const Program& program_;
  uint32_t bound_;
  lts::TesterStates states_;
  bool has_seen_all_ = true;
  std::set<lts::ActionId> made_;

  // By object: whether it was asked for, and its action.
  struct Known {
    bool asked = false;
    std::optional<lts::ActionId> action;
  };
  std::vector<Known> known_;

  // --- of the present execution
  const Execution* execution_ = nullptr;
  std::vector<Sighting> found_;
  std::vector<std::string> events_;  // that the tester has seen so far
  bool is_read_ = false;             // into order_ and replica_
  HappensBefore order_;
  std::unique_ptr<Replica> replica_;  // large, so only where it is needed
  Configuration there_;               // where the replica is
  std::vector<lts::ActionId> offers_;
};

}  // namespace mazurka
