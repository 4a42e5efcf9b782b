// The stricter locking discipline of Stoller's section 8: not only is there in each execution a
// lock that protects a variable, it is the same one in all of them. So what violates it is no
// single execution, but two or more with locks that have none in common.
//
// Where we differ: the paper intersects candidate locks as the search goes, so which access is
// blamed depends on the order of the search. Here the search only collects; which executions prove
// a violation is chosen from all that are known.
#pragma once

#include <map>
#include <vector>

#include "execution/program.h"
#include "explore/findings/findings.h"

namespace mazurka {

// What protects memory in an execution, and the steps that lead there.
struct GuardEvidence {
  GuardedMemory memory;
  std::vector<PlannedStep> schedule;
};

// Executions with no lock in common: bytes that all of them have in common were accessed in each.
using GuardProof = std::vector<GuardEvidence>;

class StrictDiscipline {
 public:
  // Where a variable is in every execution: the same static memory, or the same block of the same
  // thread.
  struct Key {
    uint32_t space = 0;
    ThreadId owner = kNoThread;  // of the block; otherwise none
    uint64_t block = 0;          // which of its blocks
    uint64_t offset = 0;

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  static Key key_of(const GuardedMemory& memory);

  // `program` knows the names, by which evidence is ordered: ids depend on who came first.
  explicit StrictDiscipline(const Program& program) : program_(program) {}

  // Gives the words of which it is now known that no lock protects all of their bytes in all
  // executions, or more of their bytes.
  std::vector<Key> add(const Execution& execution);

  // One for each group of bytes of the word that is not protected.
  std::vector<GuardProof> proofs(const Key& word) const;

 private:
  struct Word {
    std::vector<GuardEvidence> evidence;  // each set of locks once for the same bytes; best first
    uint8_t violated = 0;                 // bytes, as a mask
  };

  bool is_better(const GuardedMemory& a, const GuardedMemory& b) const;
  // False if it was known.
  bool learn(Word& word, const GuardedMemory& memory, const Execution& execution);

  const Program& program_;
  std::map<Key, Word> words_;
};

// Of the accesses in `execution`, those that no lock protects together with the accesses of the
// other executions are added to its conflicts. `earlier`: what protects memory in each of those.
void add_strict_conflicts(const std::vector<std::vector<GuardedMemory>>& earlier,
                          Execution& execution);

}  // namespace mazurka
