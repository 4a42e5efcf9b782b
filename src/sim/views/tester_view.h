// The states that a tester may be in after some events, for the page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lts/model/tester.h"
#include "sim/server/json_type.h"

namespace mazurka {

// Actions with their names, in order; those that the tester does not see are left out.
Json tester_json(const lts::Tester& tester,
                 const std::vector<std::pair<lts::ActionId, std::string>>& actions);

}  // namespace mazurka
