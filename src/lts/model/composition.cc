#include "lts/model/composition.h"

#include <algorithm>

namespace mazurka::lts {
namespace {

std::vector<uint32_t> local_states(const Moves& moves, const uint64_t* vector) {
  std::vector<uint32_t> result;
  for (const Field& field : moves.fields()) result.push_back(field.get(vector));
  return result;
}

}  // namespace

std::vector<uint32_t> NarrowComposition::unpack(State state) const {
  return local_states(*moves_, &state);
}

bool NarrowComposition::join(const uint64_t* flips, size_t count, size_t begin, Successors& out) {
  const size_t end = out.size();
  if (count == 0) {
    out.truncate(begin);
    return false;
  }
  for (size_t f = 1; f < count; ++f) {
    for (size_t i = begin; i < end; ++i) {
      const Successor successor = out[i];
      out.append(successor.state ^ flips[f], successor.action);
    }
  }
  for (size_t i = begin; i < end; ++i) out[i].state ^= flips[0];
  return true;
}

bool NarrowComposition::join_searching(const Partner& partner, uint32_t local, size_t begin,
                                       Successors& out) {
  std::vector<uint64_t> flips;
  for (const Edge& edge : partner.lts->edges(local, partner.action)) {
    flips.push_back(static_cast<uint64_t>(local ^ edge.target) << partner.field.shift);
  }
  return join(flips.data(), flips.size(), begin, out);
}

WideComposition::WideComposition(const Moves& moves)
    : moves_(&moves),
      words_(moves.words()),
      number_bits_(static_cast<uint32_t>(kStateBits - moves.tester_bits()) / 2),
      vector_(words_) {}

State WideComposition::initial() {
  State state = 0;
  fold(moves_->initial().data(), state);
  return state;
}

bool WideComposition::next(State state, Successors& out) {
  unfold(state, vector_.data());
  for (const Owner& owner : moves_->owners()) {
    const uint32_t local = owner.field.get(vector_.data());
    for (uint32_t m = owner.offsets[local]; m < owner.offsets[local + 1]; ++m) {
      const Move& move = owner.moves[m];
      rows_.clear();
      add_row(vector_.data())[owner.field.word] ^= move.flip;
      if (move.sync != kAlone) synchronise(move);
      for (size_t row = 0; row < rows_.size(); row += words_) {
        State successor = 0;
        if (!fold(rows_.data() + row, successor)) return false;
        out.append(successor, move.action);
      }
    }
  }
  return true;
}

std::vector<uint32_t> WideComposition::unpack(State state) {
  unfold(state, vector_.data());
  return local_states(*moves_, vector_.data());
}

WideComposition::Row WideComposition::add_row(const uint64_t* from) {
  const std::vector<uint64_t> row(from, from + words_);  // `from` may be a row, which moves
  rows_.insert(rows_.end(), row.begin(), row.end());
  return rows_.data() + rows_.size() - words_;
}

// Multiplies the rows with the transitions of each partner.
void WideComposition::synchronise(const Move& move) {
  const Sync sync = moves_->sync(move.sync);
  for (uint32_t p = sync.begin; p < sync.end && !rows_.empty(); ++p) {
    const Partner& partner = moves_->partners()[p];
    const uint32_t local = partner.field.get(vector_.data());
    const std::span<const Edge> edges = partner.lts->edges(local, partner.action);
    const size_t size = rows_.size();
    if (edges.empty()) rows_.clear();
    for (size_t e = 0; e < edges.size(); ++e) {
      const uint64_t flip = static_cast<uint64_t>(local ^ edges[e].target) << partner.field.shift;
      // The first edge comes last in place, so that the others copy unchanged rows.
      const bool last = e + 1 == edges.size();
      for (size_t row = 0; row < size; row += words_) {
        Row changed = last ? rows_.data() + row : add_row(rows_.data() + row);
        changed[partner.field.word] ^= flip;
      }
    }
  }
}

bool WideComposition::fold(const uint64_t* row, State& state) {
  level_.assign(row + 1, row + words_);
  for (uint64_t& word : level_) word = interner_.number(word);
  while (level_.size() > 2) {
    level_below_.clear();
    for (size_t i = 0; i < level_.size(); i += 2) {
      const uint64_t high = i + 1 < level_.size() ? level_[i + 1] : 0;
      level_below_.push_back(interner_.number(high << 32 | level_[i]));
    }
    level_.swap(level_below_);
  }
  if (interner_.size() >> number_bits_ != 0) return false;
  const uint64_t high = level_.size() == 2 ? level_[1] : 0;
  state = (high << number_bits_ | level_[0]) << moves_->tester_bits() | row[0];
  return true;
}

void WideComposition::unfold(State state, uint64_t* row) {
  const uint64_t number_mask = (uint64_t{1} << number_bits_) - 1;
  row[0] = state & ((uint64_t{1} << moves_->tester_bits()) - 1);
  state >>= moves_->tester_bits();
  // How many words each level has, from the vector's own up to the one of two numbers.
  const size_t leaves = words_ - 1;
  level_.assign({state & number_mask, state >> number_bits_});
  size_t sizes[33];
  size_t levels = 0;
  for (size_t size = leaves; size > 2; size = (size + 1) / 2) sizes[levels++] = size;
  while (levels > 0) {
    const size_t size = sizes[--levels];
    level_below_.clear();
    for (size_t i = 0; i < size; ++i) {
      const uint64_t pair = interner_.word(static_cast<uint32_t>(level_[i / 2]));
      level_below_.push_back(i % 2 == 0 ? pair & UINT32_MAX : pair >> 32);
    }
    level_.swap(level_below_);
  }
  for (size_t i = 0; i < leaves; ++i) {
    row[i + 1] = interner_.word(static_cast<uint32_t>(level_[i]));
  }
}

}  // namespace mazurka::lts
