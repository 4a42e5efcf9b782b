#include "lts/model/action.h"

namespace mazurka::lts {

ActionTable::ActionTable() {
  intern("tau");
  intern("tau_T");
  ids_.emplace("i", kTau);
}

ActionId ActionTable::intern(std::string_view name) {
  const auto known = ids_.find(name);
  if (known != ids_.end()) return known->second;
  const ActionId id{static_cast<uint32_t>(names_.size())};
  names_.emplace_back(name);
  ids_.emplace(names_.back(), id);
  return id;
}

std::optional<ActionId> ActionTable::find(std::string_view name) const {
  const auto known = ids_.find(name);
  if (known == ids_.end()) return std::nullopt;
  return known->second;
}

}  // namespace mazurka::lts
