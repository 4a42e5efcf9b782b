// A tester (definition 6): an LTS over the visible actions of a system and its own step tau_T, with
// four sets of states that say what the system should not do there.
//
// Testers are written in .tester files:
//
//   tester answers           # a request is answered
//   visible request answer
//   initial idle
//   idle -request-> waiting
//   waiting -answer-> idle
//   deadlock waiting         # not: stopping before the answer,
//   livelock waiting         # running on in silence before it
//   reject STATE...          # being here at all
//   infinite STATE...        # coming here again and again
//
// Lines are words between blanks, with quotes and comments as text_file.h has them, in any order:
//   tester NAME              at most once
//   visible ACTION...        as often as one likes; not the internal action, and not tau_T
//   initial STATE            exactly once
//   STATE -ACTION-> STATE    a transition: the second word begins with - and ends with ->; the
//                            action is visible or tau_T
//   reject, deadlock, livelock, infinite STATE...
//                            these states are in the set, with those of other such lines
// A state is there by being mentioned; a set may only name states that are the initial one or stand
// in a transition. A deadlock state has no tau_T step, and tau_T steps have no loop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lts/model/network.h"

namespace mazurka::lts {

// What a tester's state is to the searches.
enum TesterBits : uint8_t {
  kReject = 1,
  kDeadlock = 2,
  kLivelock = 4,
  kInfinite = 8,
};

struct Tester {
  std::string name;
  ExplicitLts lts;                 // over `visible` and kTauT
  std::vector<ActionId> visible;   // sorted, each once
  std::vector<uint8_t> sets;       // TesterBits of each state
  std::vector<std::string> names;  // of each state

  bool any(uint8_t bits) const;  // some state has one of them
  bool all(uint8_t bits) const;  // every state has all of them
};

// Reads a tester for the system and checks all that definition 6 asks; interns nothing that the
// system does not have.
Result<Tester> read_tester(std::string_view text, const std::string& file, const Network& system);
Result<Tester> read_tester_file(const std::string& path, const Network& system);

// Reads a tester for a system whose actions are not known before it runs: it takes every name.
Result<Tester> read_tester(std::string_view text, const std::string& file, ActionTable& actions);

}  // namespace mazurka::lts
