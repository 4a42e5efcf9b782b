// For rows_test.cc: what the rows of the table of operations claim (objects/op_row.h), against what
// the models do in all states of small worlds. A claim that is too strong makes a search leave
// something out, so each is tried wherever it could be wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testing/worlds/small_world.h"

namespace mazurka {

class RowClaims {
 public:
  // A transition of a state: what it accesses, and what it did.
  struct Made {
    Label label;
    Accesses accesses;
    Effect effect;
    SmallWorld::Saved after;
  };
  // A pending operation of another thread.
  struct Pending {
    ThreadId thread;
    MenuItem item;
    bool is_enabled;
  };
  using PairClaim =
      std::function<std::string(const World&, const Made&, const Pending&, bool is_enabled_after)>;

  // Further claims about a transition and what another thread stands before; each returns what is
  // wrong, or nothing. The world is the one before the transition.
  std::vector<PairClaim> pair_claims;

  void check(const SmallWorldCase& chosen);

  // What is wrong, and how often it was seen.
  std::map<std::string, uint64_t> violations;
  std::map<std::string, uint64_t> tried;  // for each column of the table
  // What was disabled somewhere, and what had several outcomes.
  std::set<OpKind> seen_disabled;
  std::set<OpKind> seen_with_several;

 private:
  void check_state(SmallWorld& world, const SmallWorld::Saved& state);
  void check_pending(const SmallWorld& world, const Pending& pending);
  void check_made(SmallWorld& world, const SmallWorld::Saved& state, const Made& made);
  void check_accesses(const World& before, const Made& made);
  void check_ends(const SmallWorld::Saved& before, const World& after, const Made& made);
  void check_pairs(SmallWorld& world, const SmallWorld::Saved& state, const Made& made,
                   const std::vector<Pending>& all);
  // That the claim was relied on; and it must hold.
  void claim(const char* column, bool holds, const Operation& op);
  void violated(const std::string& what, const Operation& op);

  std::string case_name_;
};

}  // namespace mazurka
