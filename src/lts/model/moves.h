// The moves of a composition (definition 3), prepared for speed. Local states are packed into
// words, each in as many bits as its process needs, so that a move is an exclusive or with a
// constant: (old ^ new) << shift.
//
// An action of one process alone is a move of that process. An action that several share belongs to
// one of them, its owner; its local transitions are tried first, and the others are asked for
// theirs.
#pragma once

#include <span>
#include <vector>

#include "lts/model/network.h"
#include "lts/model/tester.h"

namespace mazurka::lts {

// Where the local state of a process stands in a vector of words.
struct Field {
  uint32_t word = 0;
  uint32_t shift = 0;
  uint64_t mask = 0;

  uint32_t get(const uint64_t* vector) const {
    return static_cast<uint32_t>((vector[word] >> shift) & mask);
  }
};

inline constexpr uint32_t kAlone = UINT32_MAX;

struct Move {
  uint64_t flip;
  ActionId action;  // what the composition shows: the internal action if it is hidden
  uint32_t sync;    // which Sync has the partners, or kAlone
};

// A process that must move along.
struct Partner {
  Field field;
  ActionId action;
  const ExplicitLts* lts;
  // Where the flips of each local state begin in `flips`. Empty where that table would be large:
  // then the transitions are searched for.
  std::vector<uint32_t> offsets;
  std::vector<uint64_t> flips;
};

struct Sync {
  uint32_t begin;  // of its partners
  uint32_t end;
};

// The moves that one process owns.
struct Owner {
  Field field;
  std::vector<uint32_t> offsets;  // of each local state, into moves
  std::vector<Move> moves;
};

// A process of the composition: one of the system, or the tester.
struct Component {
  const ExplicitLts* lts;
  const std::vector<ActionId>* alphabet;
};

// Wide even where one word would do: for tests.
enum class Packing { Choose, Wide };

class Moves {
 public:
  // `system` and `tester` (which may be nullptr) must outlive this. The tester, if any, is
  // component 0.
  Moves(const Network& system, const Tester* tester, Packing packing = Packing::Choose);

  const std::vector<Component>& components() const { return components_; }
  const std::vector<Field>& fields() const { return fields_; }
  const std::vector<Owner>& owners() const { return owners_; }
  const Partner* partners() const { return partners_.data(); }
  const Sync& sync(uint32_t number) const { return syncs_[number]; }
  int tester_bits() const { return tester_bits_; }
  // One if all local states fit a State; else one for the tester and one for each 64 bits of the
  // others.
  uint32_t words() const { return words_; }
  const std::vector<uint64_t>& initial() const { return initial_; }

 private:
  void place_fields(Packing packing);
  void place_wide();
  void make_owners(const Network& system);
  uint32_t make_sync(ActionId action, std::span<const uint32_t> participants, uint32_t owner);
  void fill_dense(Partner& partner);

  std::vector<Component> components_;
  std::vector<ActionId> tester_alphabet_;
  std::vector<Field> fields_;
  std::vector<Owner> owners_;
  std::vector<Partner> partners_;
  std::vector<Sync> syncs_;
  std::vector<uint64_t> initial_;
  size_t dense_entries_ = 0;
  uint32_t words_ = 1;
  int tester_bits_ = 0;
};

}  // namespace mazurka::lts
