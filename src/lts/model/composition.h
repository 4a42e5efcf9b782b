// Compositions on the fly: the states of a network, with or without a tester, and their successors.
// Two forms of the same thing. Both keep the tester's local state in the lowest bits of a State.
#pragma once

#include <memory>

#include "lts/model/moves.h"
#include "lts/model/word_interner.h"

namespace mazurka::lts {

// Where all local states fit one State.
class NarrowComposition {
 public:
  explicit NarrowComposition(const Moves& moves) : moves_(&moves) {}

  State initial() const { return moves_->initial()[0]; }

  bool next(State state, Successors& out) const {
    for (const Owner& owner : moves_->owners()) {
      const uint32_t local = owner.field.get(&state);
      const Move* move = owner.moves.data() + owner.offsets[local];
      const Move* const end = owner.moves.data() + owner.offsets[local + 1];
      for (; move != end; ++move) {
        if (move->sync == kAlone) {
          out.append(state ^ move->flip, move->action);
        } else {
          synchronise(state, *move, out);
        }
      }
    }
    return true;
  }

  // The local state of each component.
  std::vector<uint32_t> unpack(State state) const;
  size_t bytes() const { return 0; }

 private:
  void synchronise(State state, const Move& move, Successors& out) const {
    const size_t begin = out.size();
    out.append(state ^ move.flip, move.action);
    const Sync sync = moves_->sync(move.sync);
    const Partner* const end = moves_->partners() + sync.end;
    for (const Partner* partner = moves_->partners() + sync.begin; partner != end; ++partner) {
      const uint32_t local = partner->field.get(&state);
      if (partner->offsets.empty()) {
        if (!join_searching(*partner, local, begin, out)) return;
        continue;
      }
      const uint64_t* flip = partner->flips.data() + partner->offsets[local];
      const size_t count = partner->offsets[local + 1] - partner->offsets[local];
      if (count == 1) {
        for (size_t i = begin; i < out.size(); ++i) out[i].state ^= *flip;
      } else if (!join(flip, count, begin, out)) {
        return;
      }
    }
  }

  // What stands behind `begin` in `out`, with each of the flips; without any it is withdrawn.
  static bool join(const uint64_t* flips, size_t count, size_t begin, Successors& out);
  static bool join_searching(const Partner& partner, uint32_t local, size_t begin, Successors& out);

  const Moves* moves_;
};

// Where they do not: the vector is cut into words, each word gets a number, two numbers make a word
// again, and so on until two numbers are left, which fit a State beside the tester's local state.
// Words that many states share are kept once.
class WideComposition {
 public:
  explicit WideComposition(const Moves& moves);

  State initial();
  // False if there are more different words than numbers for them.
  bool next(State state, Successors& out);
  std::vector<uint32_t> unpack(State state);
  size_t bytes() const { return interner_.bytes(); }

 private:
  using Row = uint64_t*;

  Row add_row(const uint64_t* from);
  void synchronise(const Move& move);
  bool fold(const uint64_t* row, State& state);
  void unfold(State state, uint64_t* row);

  const Moves* moves_;
  WordInterner interner_;
  uint32_t words_;        // of a vector
  uint32_t number_bits_;  // of each of the two numbers in a State
  std::vector<uint64_t> vector_;
  std::vector<uint64_t> rows_;  // successors of vector_, one after the other
  std::vector<uint64_t> level_;
  std::vector<uint64_t> level_below_;
};

static_assert(Lts<const NarrowComposition>);
static_assert(Lts<WideComposition>);

}  // namespace mazurka::lts
