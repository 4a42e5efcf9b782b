// Verification of reject and deadlock sets by stubborn sets: a search of the product of system and
// tester that leaves out orders of actions which do not matter to them. Called by verify().
//
// Deadlocks of the product are preserved by stubborn sets alone. For reject sets, let the actions
// b1...bn lead from a state to a reject state of the tester, n as small as possible. If one of them
// is in the stubborn set, it can come first, and n-1 are left: the tester is a component, so none
// of its own actions is overtaken. If none is, an enabled action `a` of the set can come before all
// of them, and it does not move the tester (else b1...bn would not, and it would reject already).
// That leaves n, so `a` must not be put before them for ever: a state is expanded fully unless some
// successor by its stubborn set has not been expanded before it. Following these, the search comes
// to a state that is expanded fully.
#pragma once

#include "lts/model/network.h"
#include "lts/model/tester.h"
#include "lts/verify/verify.h"

namespace mazurka::lts {

// Requires that the tester has neither livelock nor infinite-trace states. Counterexamples are
// short, but not the shortest ones.
Verification verify_by_stubborn_sets(const Network& system, const Tester& tester,
                                     const VerifyOptions& options);

}  // namespace mazurka::lts
