#include "explore/findings/strict_discipline.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace mazurka {
namespace {

using Locks = std::vector<ObjectId>;

// Both are sorted.
Locks common(const Locks& a, const Locks& b) {
  Locks both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// The locks that all evidence about the byte has in common; nothing if there is none.
std::optional<Locks> candidates(const std::vector<GuardEvidence>& evidence, uint8_t byte) {
  std::optional<Locks> left;
  for (const GuardEvidence& one : evidence) {
    if ((one.memory.bytes & byte) == 0) continue;
    left = left ? common(*left, one.memory.locks) : one.memory.locks;
  }
  return left;
}

uint8_t unprotected(const std::vector<GuardEvidence>& evidence) {
  uint8_t bytes = 0;
  for (int i = 0; i < 8; ++i) {
    const auto byte = static_cast<uint8_t>(1u << i);
    const std::optional<Locks> left = candidates(evidence, byte);
    if (left && left->empty()) bytes = static_cast<uint8_t>(bytes | byte);
  }
  return bytes;
}

// Two executions are enough, mostly; where each two have a lock in common, as many as it takes.
GuardProof proof_for(const std::vector<const GuardEvidence*>& evidence) {
  for (size_t j = 1; j < evidence.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      if (common(evidence[i]->memory.locks, evidence[j]->memory.locks).empty())
        return {*evidence[i], *evidence[j]};
    }
  }
  GuardProof proof = {*evidence.front()};
  Locks left = evidence.front()->memory.locks;
  for (const GuardEvidence* one : evidence) {
    Locks fewer = common(left, one->memory.locks);
    if (fewer.size() == left.size()) continue;
    left = std::move(fewer);
    proof.push_back(*one);
    if (left.empty()) break;
  }
  return proof;
}

std::vector<const GuardEvidence*> about(uint8_t byte, const std::vector<GuardEvidence>& evidence) {
  std::vector<const GuardEvidence*> found;
  for (const GuardEvidence& one : evidence) {
    if ((one.memory.bytes & byte) != 0) found.push_back(&one);
  }
  return found;
}

uint8_t bytes_of(const GuardProof& proof) {
  uint8_t bytes = 0xff;
  for (const GuardEvidence& one : proof) bytes = static_cast<uint8_t>(bytes & one.memory.bytes);
  return bytes;
}

}  // namespace

StrictDiscipline::Key StrictDiscipline::key_of(const GuardedMemory& memory) {
  if (memory.where.storage != Storage::Heap) return {memory.space, kNoThread, 0, memory.offset};
  return {memory.space, memory.where.thread, memory.where.count, memory.where.offset};
}

bool StrictDiscipline::is_better(const GuardedMemory& a, const GuardedMemory& b) const {
  if (a.position != b.position) return a.position < b.position;
  const auto rank = [this](const GuardedMemory& one) {
    return std::make_pair(program_.thread_path(one.access.thread), one.access.place.pc);
  };
  const auto lock_names = [this](const GuardedMemory& one) {
    std::vector<std::string> names;
    for (const ObjectId lock : one.locks) names.push_back(program_.object_name(lock));
    return names;
  };
  const auto of_a = rank(a);
  const auto of_b = rank(b);
  return of_a != of_b ? of_a < of_b : lock_names(a) < lock_names(b);
}

bool StrictDiscipline::learn(Word& word, const GuardedMemory& memory, const Execution& execution) {
  const auto is_same_access = [&](const GuardedMemory& other) {
    return other.position == memory.position && other.access.thread == memory.access.thread &&
           other.access.place.pc == memory.access.place.pc;
  };
  const auto known =
      std::find_if(word.evidence.begin(), word.evidence.end(), [&](const GuardEvidence& other) {
        return other.memory.bytes == memory.bytes && other.memory.locks == memory.locks;
      });
  const bool is_new = known == word.evidence.end();
  if (!is_new && (is_same_access(known->memory) || !is_better(memory, known->memory))) return false;
  GuardEvidence evidence{memory, schedule_of(execution, memory.position)};
  if (is_new) {
    word.evidence.push_back(std::move(evidence));
  } else {
    *known = std::move(evidence);
  }
  std::sort(word.evidence.begin(), word.evidence.end(),
            [this](const GuardEvidence& a, const GuardEvidence& b) {
              return is_better(a.memory, b.memory);
            });
  return is_new;
}

std::vector<StrictDiscipline::Key> StrictDiscipline::add(const Execution& execution) {
  std::vector<Key> violated;
  for (const GuardedMemory& memory : execution.guarded) {
    const Key key = key_of(memory);
    Word& word = words_[key];
    if (!learn(word, memory, execution)) continue;
    const uint8_t now = unprotected(word.evidence);
    if (now == word.violated) continue;
    word.violated = now;
    violated.push_back(key);
  }
  return violated;
}

std::vector<GuardProof> StrictDiscipline::proofs(const Key& key) const {
  std::vector<GuardProof> proofs;
  const auto found = words_.find(key);
  if (found == words_.end()) return proofs;
  const Word& word = found->second;
  uint8_t left = word.violated;
  while (left != 0) {
    const auto lowest = static_cast<uint8_t>(left & -left);
    proofs.push_back(proof_for(about(lowest, word.evidence)));
    left = static_cast<uint8_t>(left & ~bytes_of(proofs.back()));
  }
  return proofs;
}

namespace {

// Where the other execution has accessed the same bytes; without `locks` in common if there is such
// an access, otherwise with the fewest locks. Null: it has not.
const GuardedMemory* counterpart(const GuardedMemory& memory, const Locks& locks,
                                 const std::vector<GuardedMemory>& other) {
  const auto key = StrictDiscipline::key_of(memory);
  const GuardedMemory* found = nullptr;
  for (const GuardedMemory& one : other) {
    if ((one.bytes & memory.bytes) == 0 || StrictDiscipline::key_of(one) != key) continue;
    found = &one;
    if (common(locks, one.locks).empty()) break;
  }
  return found;
}

MemoryConflict conflict_of(const GuardedMemory& memory, uint8_t bytes,
                           const MemoryAccess& earlier) {
  MemoryConflict conflict;
  conflict.kind = ConflictKind::Strict;
  conflict.position = memory.position;
  conflict.size = static_cast<uint32_t>(std::popcount(bytes));
  const auto first = static_cast<uint32_t>(std::countr_zero(bytes));
  conflict.address = memory.address + first;
  conflict.where = memory.where;
  if (conflict.where.storage == Storage::Heap) conflict.where.offset += first;
  conflict.first = earlier;
  conflict.second = memory.access;
  return conflict;
}

}  // namespace

void add_strict_conflicts(const std::vector<std::vector<GuardedMemory>>& earlier,
                          Execution& execution) {
  for (const GuardedMemory& memory : execution.guarded) {
    Locks left = memory.locks;
    uint8_t bytes = memory.bytes;
    const GuardedMemory* first = nullptr;
    for (const std::vector<GuardedMemory>& other : earlier) {
      const GuardedMemory* there = counterpart(memory, left, other);
      if (there == nullptr) {
        first = nullptr;
        break;
      }
      if (first == nullptr) first = there;
      left = common(left, there->locks);
      bytes = static_cast<uint8_t>(bytes & there->bytes);
    }
    if (first != nullptr && left.empty() && bytes != 0) {
      execution.conflicts.push_back(conflict_of(memory, bytes, first->access));
    }
  }
}

}  // namespace mazurka
