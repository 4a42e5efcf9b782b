// Namer threads, objects, operations and places for people: from what the program knows of itself,
// and what its source knows if there is any. Both are seams, so that tests need neither.
#pragma once

#include <string>
#include <vector>

#include "execution/program.h"
#include "objects/namer.h"
#include "report/words/object_names.h"
#include "report/words/places.h"

namespace mazurka {

class Describer final : public Namer {
 public:
  // All must outlive it. `places` may be null: then there are no places and only plain names; and
  // `names`, without which only global variables have theirs.
  explicit Describer(const Program& program, Places* places = nullptr,
                     const ObjectNames* names = nullptr)
      : program_(program), places_(places), names_(names) {}

  // "T0.2"
  std::string thread(ThreadId id) const override { return program_.thread_name(id); }
  // What it runs, or the name that it has given itself: "philosopher", "main". Empty if that is not
  // known.
  std::string thread_role(ThreadId id, const Execution& execution) const;
  // "T0.2 philosopher"
  std::string thread_title(ThreadId id, const Execution& execution) const;
  // The variable if it is known, else what the program says. Empty for no object.
  std::string object(ObjectId id) const override;
  // What lies at the address of the conflict, in the same way.
  std::string memory(const MemoryConflict& conflict) const;
  // The name that is the same in every run, whatever is known of the source.
  std::string plain_object(ObjectId id) const;
  // The same of what an operation works on; of a System V operation, its first semaphore.
  std::string plain_object(const Operation& op, const std::vector<OpPart>& parts) const;

  // "lock forks[1]", "join T0.2", "condition wait ready with m"
  std::string operation(const Operation& op, const std::vector<OpPart>& parts) const;
  // operation and outcome: "signal ready, wakes T0.1", "lock m: timed out", "toss: 2"
  std::string transition(const Transition& made) const;
  // What may happen next, as far as that is known before: "wake up from ready: timed out"
  std::string choice(const Operation& op, const std::vector<OpPart>& parts, Choice choice) const;

  // "bank.cpp:12 in deposit". Empty if nothing is known.
  std::string place(const CodePlace& place) const;
  // The calls that led there, innermost first. Empty without a stack.
  std::vector<std::string> callers(const CodePlace& place) const;
  // The same without the directory.
  std::string short_location(const CodePlace& place) const;
  // The text of that line. Empty if it cannot be read.
  std::string source_text(const CodePlace& place) const;
  // "bank.cpp:12". Empty if it is not known.
  std::string location(const CodePlace& place) const;

 private:
  const Program& program_;
  Places* places_;
  const ObjectNames* names_;
};

// Whether the outcome of such an operation is a thread (or kNobody).
bool outcome_is_thread(const Operation& op);

}  // namespace mazurka
