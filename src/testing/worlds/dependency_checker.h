// For accesses_test.cc: the truth about a dependency relation, by brute force. Visits all states of
// a small world and tries every pair of transitions there in both orders.
//
// The conditions, for transitions a and b of different threads:
//
//   V:  Independent ones neither enable nor disable nor change each other, and commute.
//   D1: If a and b are enabled and dependent, then after a, thread(b) is disabled, or everything
//       that it can do depends on a.
//   D2: If a and b are enabled and b disables thread(a), then what depends on a, and can come by
//       steps that do not, depends on b.
//   D3: If a changes which outcomes thread(b)'s operation has, then all of these, before and after,
//       depend on a.
//
// V and D1 must hold. Where D2 does not, a search meets executions that it has to give up; where D3
// does not, it must try the new outcome itself.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/worlds/small_world.h"

namespace mazurka {

void real_accesses(const World& world, const Label& label, AccessList& out);

class DependencyChecker {
 public:
  struct Counts {
    uint64_t states = 0;
    uint64_t independent = 0;  // pairs, each in both orders
    uint64_t dependent = 0;
    uint64_t d1 = 0;
    uint64_t d2 = 0;
    uint64_t d3 = 0;
    uint64_t conditional = 0;  // dependent pairs that commute_here lets commute
  };
  // Of pairs that are dependent: how many in all, and how many commute all the same (but for the
  // clocks).
  struct Lost {
    uint64_t dependent = 0;
    uint64_t commute = 0;
    uint64_t known = 0;  // of these, by commute_here
  };
  struct D2 {
    OpKind a, b, d;  // as above
    friend auto operator<=>(const D2&, const D2&) = default;
  };

  explicit DependencyChecker(SmallWorld::AccessesFunction accesses = real_accesses)
      : accesses_(std::move(accesses)) {}

  // Stops at the first violation of V or D1 when told to.
  void check(const SmallWorldCase& chosen, bool stop_early = false);

  Counts counts;
  // What is wrong, and how often it was seen.
  std::map<std::string, uint64_t> violations;
  std::map<D2, uint64_t> d2_violations;
  std::map<std::string, uint64_t> d3_violations;
  std::map<std::pair<std::string_view, std::string_view>, Lost> lost;

 private:
  struct First {
    Label label;
    Accesses accesses;
    Effect effect;
    SmallWorld::Saved after;
  };
  struct Second {
    bool enabled = false;
    Accesses accesses;
    Effect effect;
    SmallWorld::View view;
    SmallWorld::View view_without_clocks;
  };
  struct Pair {
    const First& a;
    const First& b;
    const Second& b_after_a;
    const Second& a_after_b;
  };

  std::vector<First> try_all(SmallWorld& world, const SmallWorld::Saved& state) const;
  Second try_after(SmallWorld& world, const First& first, const Label& second) const;
  void check_state(SmallWorld& world, const SmallWorld::Saved& state);
  void check_pair(SmallWorld& world, const SmallWorld::Saved& state, const Pair& pair);
  void check_independent(const Pair& pair);
  void check_dependent(SmallWorld& world, const SmallWorld::Saved& state, const Pair& pair);
  void check_possible(SmallWorld& world, const First& first);
  // What a leads to: labels that were not enabled before, D1 and D3.
  void check_after(SmallWorld& world, const std::vector<First>& all, const First& a);
  void check_d3(SmallWorld& world, const std::vector<First>& all, const First& a);
  void check_d2(SmallWorld& world, const SmallWorld::Saved& state, const First& a, const First& b);
  void violated(const std::string& what, const Label& a, const Label& b);

  SmallWorld::AccessesFunction accesses_;
  std::string case_name_;
  std::map<std::string, uint32_t> d2_tried_;
};

}  // namespace mazurka
