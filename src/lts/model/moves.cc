#include "lts/model/moves.h"

#include <algorithm>
#include <bit>
#include <map>

namespace mazurka::lts {
namespace {

// Offsets of all partners together; beyond that, transitions are searched for.
constexpr size_t kMostDenseEntries = size_t{1} << 24;

uint32_t bits_for(const ExplicitLts& lts) {
  return static_cast<uint32_t>(std::bit_width(lts.state_count() - 1));
}

// How often the process is ready for the action, over its local states. The process that rarely is
// makes a good owner: little is tried in vain.
double readiness(const ExplicitLts& lts, ActionId action) {
  size_t count = 0;
  for (uint32_t s = 0; s < lts.state_count(); ++s) count += lts.edges(s, action).size();
  return static_cast<double>(count) / lts.state_count();
}

uint64_t flip(const Field& field, uint32_t source, uint32_t target) {
  return static_cast<uint64_t>(source ^ target) << field.shift;
}

// The action's participants and who owns it.
struct Shared {
  std::vector<uint32_t> participants;
  uint32_t owner = 0;
  uint32_t sync = kAlone;
  bool possible = true;  // every participant has a transition with it
};

std::map<ActionId, Shared> shared_actions(const std::vector<Component>& components) {
  std::map<ActionId, Shared> result;
  for (uint32_t c = 0; c < components.size(); ++c) {
    for (const ActionId action : *components[c].alphabet) result[action].participants.push_back(c);
  }
  std::erase_if(result, [](const auto& entry) { return entry.second.participants.size() < 2; });
  for (auto& [action, shared] : result) {
    double least = -1;
    for (const uint32_t c : shared.participants) {
      const double ready = readiness(*components[c].lts, action);
      shared.possible = shared.possible && ready > 0;
      if (least < 0 || ready < least) {
        least = ready;
        shared.owner = c;
      }
    }
  }
  return result;
}

}  // namespace

Moves::Moves(const Network& system, const Tester* tester, Packing packing) {
  if (tester != nullptr) {
    tester_alphabet_ = tester->visible;
    tester_alphabet_.push_back(kTauT);
    components_.push_back({&tester->lts, &tester_alphabet_});
    tester_bits_ = static_cast<int>(bits_for(tester->lts));
  }
  for (const Process& process : system.processes) {
    components_.push_back({&process.lts, &process.alphabet});
  }
  place_fields(packing);
  initial_.assign(words_, 0);
  for (size_t c = 0; c < components_.size(); ++c) {
    initial_[fields_[c].word] |= components_[c].lts->initial() << fields_[c].shift;
  }
  make_owners(system);
}

void Moves::place_fields(Packing packing) {
  uint32_t shift = 0;
  for (const Component& component : components_) {
    const uint32_t bits = bits_for(*component.lts);
    fields_.push_back({0, shift, (uint64_t{1} << bits) - 1});
    shift += bits;
    // A process of one state at the very end has no bits, and must not be shifted out of its word.
    if (bits == 0) fields_.back().shift = 0;
  }
  if (packing == Packing::Wide || shift > static_cast<uint32_t>(kStateBits)) place_wide();
}

void Moves::place_wide() {
  const bool has_tester = !tester_alphabet_.empty();
  uint32_t word = 1;  // word 0 is the tester's alone
  uint32_t shift = 0;
  for (size_t c = has_tester ? 1 : 0; c < components_.size(); ++c) {
    const uint32_t bits = bits_for(*components_[c].lts);
    if (shift + bits > 64) {
      ++word;
      shift = 0;
    }
    fields_[c].word = word;
    fields_[c].shift = bits == 0 ? 0 : shift;
    shift += bits;
  }
  words_ = word + 1;
}

void Moves::make_owners(const Network& system) {
  std::map<ActionId, Shared> shared = shared_actions(components_);
  for (auto& [action, entry] : shared) {
    if (entry.possible) entry.sync = make_sync(action, entry.participants, entry.owner);
  }
  for (Partner& partner : partners_) fill_dense(partner);
  for (uint32_t c = 0; c < components_.size(); ++c) {
    const ExplicitLts& lts = *components_[c].lts;
    Owner owner = {fields_[c], {0}, {}};
    for (uint32_t s = 0; s < lts.state_count(); ++s) {
      for (const Edge& edge : lts.edges(s)) {
        const auto found = edge.action == kTau ? shared.end() : shared.find(edge.action);
        const bool alone = found == shared.end();
        if (!alone && (found->second.owner != c || !found->second.possible)) continue;
        owner.moves.push_back({flip(owner.field, s, edge.target),
                               system.hides(edge.action) ? kTau : edge.action,
                               alone ? kAlone : found->second.sync});
      }
      owner.offsets.push_back(static_cast<uint32_t>(owner.moves.size()));
    }
    if (!owner.moves.empty()) owners_.push_back(std::move(owner));
  }
}

uint32_t Moves::make_sync(ActionId action, std::span<const uint32_t> participants, uint32_t owner) {
  const uint32_t begin = static_cast<uint32_t>(partners_.size());
  for (const uint32_t c : participants) {
    if (c != owner) partners_.push_back({fields_[c], action, components_[c].lts, {}, {}});
  }
  syncs_.push_back({begin, static_cast<uint32_t>(partners_.size())});
  return static_cast<uint32_t>(syncs_.size() - 1);
}

void Moves::fill_dense(Partner& partner) {
  const ExplicitLts& lts = *partner.lts;
  if (dense_entries_ + lts.state_count() + 1 > kMostDenseEntries) return;
  dense_entries_ += lts.state_count() + 1;
  partner.offsets.push_back(0);
  for (uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const Edge& edge : lts.edges(s, partner.action)) {
      partner.flips.push_back(flip(partner.field, s, edge.target));
    }
    partner.offsets.push_back(static_cast<uint32_t>(partner.flips.size()));
  }
}

}  // namespace mazurka::lts
