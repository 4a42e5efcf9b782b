#include "report/words/finding_kinds.h"

namespace mazurka {

const std::vector<KindDescription>& finding_kinds() {
  static const std::vector<KindDescription> kinds = {
      {FindingKind::Deadlock, "Deadlock",
       "No thread can go on, and not all have ended: each that is left waits for another, or for "
       "something that nobody will do."},
      {FindingKind::Assertion, "Assertion", "An assertion of the program fails."},
      {FindingKind::Crash, "Crash", "A process is ended by a signal, or without a word."},
      {FindingKind::Exit, "Exit", "The first process ends with a status other than 0."},
      {FindingKind::Misuse, "Misuse",
       "A synchronisation object is used in a way whose behaviour is undefined."},
      {FindingKind::Memory, "Memory",
       "Heap memory is freed twice, overrun, or written after it was freed."},
      {FindingKind::Race, "Race",
       "Two threads access the same memory, one of them writes, and nothing orders the two."},
      {FindingKind::LockingDiscipline, "LockingDiscipline",
       "Shared memory is accessed without the lock that protects it elsewhere."},
      {FindingKind::Livelock, "Livelock", "A thread cannot go on for too long while others do."},
      {FindingKind::Divergence, "Divergence",
       "A thread runs, or blocks in a call that no model covers, without coming to a visible "
       "operation."},
      {FindingKind::Nondeterminism, "Nondeterminism",
       "The program did something else when the same schedule was run again."},
      {FindingKind::Tester, "Tester", "The events of the program are not what a tester allows."},
  };
  return kinds;
}

}  // namespace mazurka
