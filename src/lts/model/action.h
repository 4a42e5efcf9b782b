// Actions, interned: two actions are the same if their numbers are. Every file of one verification
// (processes, network, tester) shares one table.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mazurka::lts {

enum class ActionId : uint32_t {};
constexpr uint32_t index(ActionId id) { return static_cast<uint32_t>(id); }

// The internal action: "tau" or "i" in files. Processes never synchronise on it.
inline constexpr ActionId kTau{0};
// The tester's own step, "tau_T"; no system has it (definition 6).
inline constexpr ActionId kTauT{1};

class ActionTable {
 public:
  ActionTable();
  ActionTable(const ActionTable&) = delete;  // the index points into the names
  ActionTable& operator=(const ActionTable&) = delete;
  ActionTable(ActionTable&&) = default;
  ActionTable& operator=(ActionTable&&) = default;

  ActionId intern(std::string_view name);
  std::optional<ActionId> find(std::string_view name) const;
  std::string_view name(ActionId id) const { return names_[index(id)]; }
  size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // a deque does not move what it holds
  std::unordered_map<std::string_view, ActionId> ids_;
};

}  // namespace mazurka::lts
