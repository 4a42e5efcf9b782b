#include "lts/equivalence/refinement.h"

#include <algorithm>
#include <numeric>

namespace mazurka::lts {

Refinement::Refinement(const ExplicitLts& lts, bool branching)
    : lts_(lts),
      branching_(branching),
      block_of_(lts.state_count(), 0),
      members_(lts.state_count()),
      place_of_(lts.state_count()),
      index_of_(lts.state_count(), 0) {
  std::iota(members_.begin(), members_.end(), 0);
  std::iota(place_of_.begin(), place_of_.end(), 0);
  find_predecessors();
  blocks_.push_back({0, lts.state_count(), lts.state_count(), {}});
  queue_.push_back(0);
}

void Refinement::find_predecessors() {
  predecessor_offsets_.assign(size_t{lts_.state_count()} + 1, 0);
  for (uint32_t s = 0; s < lts_.state_count(); ++s) {
    for (const Edge& edge : lts_.edges(s)) ++predecessor_offsets_[edge.target + 1];
  }
  std::partial_sum(predecessor_offsets_.begin(), predecessor_offsets_.end(),
                   predecessor_offsets_.begin());
  predecessors_.resize(lts_.transition_count());
  std::vector<size_t> next = predecessor_offsets_;
  for (uint32_t s = 0; s < lts_.state_count(); ++s) {
    for (const Edge& edge : lts_.edges(s)) predecessors_[next[edge.target]++] = {edge.action, s};
  }
}

std::vector<uint32_t> Refinement::run() {
  while (!queue_.empty()) {
    const uint32_t block = queue_.back();
    queue_.pop_back();
    refine(block);
  }
  return block_of_;
}

bool Refinement::is_dirty(uint32_t state) const {
  const Block& block = blocks_[block_of_[state]];
  return place_of_[state] < block.begin + block.dirty;
}

void Refinement::mark(uint32_t state) {
  Block& block = blocks_[block_of_[state]];
  if (block.dirty == 0) queue_.push_back(block_of_[state]);
  const uint32_t place = block.begin + block.dirty++;
  const uint32_t other = members_[place];
  std::swap(members_[place], members_[place_of_[state]]);
  std::swap(place_of_[state], place_of_[other]);
}

// The signature of a state is part of its inert predecessors' signatures.
void Refinement::mark_with_inert_predecessors(uint32_t state) {
  if (is_dirty(state)) return;
  mark(state);
  if (!branching_) return;
  marking_.push_back(state);
  while (!marking_.empty()) {
    const uint32_t target = marking_.back();
    marking_.pop_back();
    for (size_t p = predecessor_offsets_[target]; p < predecessor_offsets_[target + 1]; ++p) {
      const auto [action, source] = predecessors_[p];
      if (!is_inert(source, action, target) || is_dirty(source)) continue;
      mark(source);
      marking_.push_back(source);
    }
  }
}

void Refinement::mark_predecessors(uint32_t state) {
  for (size_t p = predecessor_offsets_[state]; p < predecessor_offsets_[state + 1]; ++p) {
    mark_with_inert_predecessors(predecessors_[p].second);
  }
  // What was inert may not be so any more.
  if (branching_) mark_with_inert_predecessors(state);
}

void Refinement::refine(uint32_t block) {
  compute_signatures(block);
  blocks_[block].dirty = 0;
  changed_.clear();
  split(block, group_by_signature());
  for (const uint32_t state : changed_) mark_predecessors(state);
}

void Refinement::compute_signatures(uint32_t block) {
  const Block& b = blocks_[block];
  order_.assign(members_.begin() + b.begin, members_.begin() + b.begin + b.dirty);
  // Internal transitions lead to smaller states, whose signatures are there first then.
  std::sort(order_.begin(), order_.end());
  signatures_.clear();
  for (const uint32_t state : order_) {
    index_of_[state] = static_cast<uint32_t>(signatures_.size());
    signatures_.push_back(signature(state, block));
  }
}

Refinement::Signature Refinement::signature(uint32_t state, uint32_t block) const {
  Signature result;
  for (const Edge& edge : lts_.edges(state)) {
    if (!is_inert(state, edge.action, edge.target)) {
      result.emplace_back(edge.action, block_of_[edge.target]);
      continue;
    }
    const Signature& more =
        is_dirty(edge.target) ? signatures_[index_of_[edge.target]] : blocks_[block].signature;
    result.insert(result.end(), more.begin(), more.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<Refinement::Group> Refinement::group_by_signature() {
  const auto of = [this](uint32_t state) -> const Signature& {
    return signatures_[index_of_[state]];
  };
  std::sort(order_.begin(), order_.end(), [&of](uint32_t a, uint32_t b) { return of(a) < of(b); });
  std::vector<Group> groups;
  for (uint32_t i = 0; i < order_.size(); ++i) {
    if (i == 0 || of(order_[i - 1]) != of(order_[i])) groups.push_back({i, i});
    ++groups.back().end;
  }
  return groups;
}

// The dirty members stand in front, so the groups are laid out there one after the other, the group
// that belongs to the clean members next to them. Each but the largest becomes a new block.
void Refinement::split(uint32_t block, const std::vector<Group>& groups) {
  struct Part {
    uint32_t begin, end;
    Signature signature;
  };
  const uint32_t begin = blocks_[block].begin;
  const uint32_t end = blocks_[block].end;
  const uint32_t clean = end - begin - static_cast<uint32_t>(order_.size());
  std::vector<Part> parts;
  uint32_t place = begin;
  const auto lay_out = [&](const Group& group) {
    for (uint32_t i = group.begin; i < group.end; ++i) {
      members_[place] = order_[i];
      place_of_[order_[i]] = place++;
    }
  };
  const Group* joins_clean = nullptr;
  for (const Group& group : groups) {
    const Signature& signature = signatures_[index_of_[order_[group.begin]]];
    if (clean > 0 && signature == blocks_[block].signature) {
      joins_clean = &group;
      continue;
    }
    const uint32_t first = place;
    lay_out(group);
    parts.push_back({first, place, signature});
  }
  if (clean > 0) {
    const uint32_t first = place;
    if (joins_clean != nullptr) lay_out(*joins_clean);
    parts.push_back({first, end, std::move(blocks_[block].signature)});
  }
  const auto largest = std::max_element(
      parts.begin(), parts.end(),
      [](const Part& a, const Part& b) { return a.end - a.begin < b.end - b.begin; });
  blocks_[block] = {largest->begin, largest->end, 0, std::move(largest->signature)};
  for (Part& part : parts) {
    if (&part != &*largest) make_block(part.begin, part.end, std::move(part.signature));
  }
}

void Refinement::make_block(uint32_t begin, uint32_t end, Signature signature) {
  const uint32_t name = static_cast<uint32_t>(blocks_.size());
  blocks_.push_back({begin, end, 0, std::move(signature)});
  for (uint32_t place = begin; place < end; ++place) {
    block_of_[members_[place]] = name;
    changed_.push_back(members_[place]);
  }
}

}  // namespace mazurka::lts
