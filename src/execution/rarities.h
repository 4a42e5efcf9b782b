// What most executions do not have, and each is asked for: found once, when an execution is read,
// so that most need not be looked through.
#pragma once

#include <array>
#include <cstdint>

#include "kinds/signals/signals.h"
#include "objects/op_table.h"

namespace mazurka {

// Bits of a set.
enum Rarity : uint8_t {
  kRareFailures = 1,  // an operation is a failure by itself
  kRareWaits = 2,
  kRareSignalCalls = 4,  // signals are sent, or what becomes of them is changed
  kRareEffects = 8,      // something was misused, or a signal was taken
};
// Of an execution of which nothing is known.
inline constexpr uint8_t kAnyRarity = 0xff;

constexpr uint8_t rarities_of(const OpRow& row) {
  uint8_t its = 0;
  if (row.fails) its |= kRareFailures;
  if (row.brings_signals != nullptr) its |= kRareSignalCalls;
  if (row.kind == OpKind::WaitForOthers) its |= kRareWaits;
  return its;
}

constexpr auto make_rarities_by_kind() {
  std::array<uint8_t, static_cast<size_t>(OpKind::kCount)> rarities = {};
  for (const OpRow& row : kOpTable) rarities[static_cast<size_t>(row.kind)] = rarities_of(row);
  return rarities;
}
inline constexpr auto kRaritiesByKind = make_rarities_by_kind();

// Requires that there is such a kind, as the next one does.
inline uint8_t rarities_of(const Operation& op) {
  if (kAreTablesMutable) return rarities_of(row_of(op.kind));
  return kRaritiesByKind[static_cast<size_t>(op.kind)];
}

inline uint8_t rarities_of(const Operation& op, Choice choice, const Effect& effect) {
  const bool is_odd = effect.misuse != Misuse::None || is_delivery(op, choice.outcome);
  return static_cast<uint8_t>(rarities_of(op) | (is_odd ? kRareEffects : 0));
}

}  // namespace mazurka
