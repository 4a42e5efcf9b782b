#include "sim/views/tester_view.h"

#include <algorithm>

#include "lts/model/tester_states.h"
#include "sim/server/json.h"

namespace mazurka {

Json tester_json(const lts::Tester& tester,
                 const std::vector<std::pair<lts::ActionId, std::string>>& actions) {
  lts::TesterStates sets(tester);
  auto set = sets.initial();
  Json events = Json::array();
  for (const auto& [action, name] : actions) {
    if (!std::binary_search(tester.visible.begin(), tester.visible.end(), action)) continue;
    events.push_back(name);
    set = sets.after(set, action);
  }
  Json states = Json::array();
  for (const uint32_t state : sets.states(set)) {
    const uint8_t bits = tester.sets[state];
    states.push_back({{"name", tester.names[state]},
                      {"reject", (bits & lts::kReject) != 0},
                      {"deadlock", (bits & lts::kDeadlock) != 0},
                      {"livelock", (bits & lts::kLivelock) != 0},
                      {"infinite", (bits & lts::kInfinite) != 0}});
  }
  return {{"name", tester.name}, {"states", std::move(states)}, {"events", std::move(events)}};
}

}  // namespace mazurka
