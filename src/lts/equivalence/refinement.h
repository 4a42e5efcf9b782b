// The partition behind bisimulation.h, and its refinement.
#pragma once

#include <utility>
#include <vector>

#include "lts/model/explicit_lts.h"

namespace mazurka::lts {

class Refinement {
 public:
  // Branching requires that internal transitions lead to smaller states.
  Refinement(const ExplicitLts& lts, bool branching);

  // The block of each state; blocks are numbered from 0 without gaps.
  std::vector<uint32_t> run();

 private:
  using Signature = std::vector<std::pair<ActionId, uint32_t>>;  // sorted, each once

  // A part of members_. Its first `dirty` ones may have another signature than the block.
  struct Block {
    uint32_t begin = 0;
    uint32_t end = 0;
    uint32_t dirty = 0;
    Signature signature;  // of the members that are not dirty
  };
  // Dirty members of a block with the same signature.
  struct Group {
    uint32_t begin = 0;  // in order_
    uint32_t end = 0;
  };

  void find_predecessors();
  bool is_inert(uint32_t source, ActionId action, uint32_t target) const {
    return branching_ && action == kTau && block_of_[source] == block_of_[target];
  }
  bool is_dirty(uint32_t state) const;
  void mark(uint32_t state);
  void mark_with_inert_predecessors(uint32_t state);
  void mark_predecessors(uint32_t state);

  void refine(uint32_t block);
  void compute_signatures(uint32_t block);
  Signature signature(uint32_t state, uint32_t block) const;
  std::vector<Group> group_by_signature();
  void split(uint32_t block, const std::vector<Group>& groups);
  void make_block(uint32_t begin, uint32_t end, Signature signature);

  const ExplicitLts& lts_;
  bool branching_;
  std::vector<Block> blocks_;
  std::vector<uint32_t> block_of_;
  std::vector<uint32_t> members_;   // states, block by block
  std::vector<uint32_t> place_of_;  // in members_
  std::vector<size_t> predecessor_offsets_;
  std::vector<std::pair<ActionId, uint32_t>> predecessors_;
  std::vector<uint32_t> queue_;  // blocks with dirty members
  // While a block is refined: its dirty members, and the signature of each.
  std::vector<uint32_t> order_;
  std::vector<Signature> signatures_;
  std::vector<uint32_t> index_of_;  // of a dirty member in signatures_
  std::vector<uint32_t> changed_;
  std::vector<uint32_t> marking_;
};

}  // namespace mazurka::lts
