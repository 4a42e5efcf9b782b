// A program that runs plans: the one seam between the searches and the world. LiveProgram runs a
// real one, ScriptedProgram is its fake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "execution/execution.h"
#include "execution/remarks.h"
#include "execution/seen_access.h"
#include "execution/stop.h"

namespace mazurka {

struct UnmodelledCall {
  std::string name;
  uint64_t pc = 0;
  uint64_t count = 0;
  bool costs_complete = true;
};

// Beginning so, it is no call but a loop (runtime/accesses/spin_trail.h): schedules that are
// equivalent may have been told apart by it.
inline bool is_loop(const UnmodelledCall& call) { return call.name.rfind("spinning ", 0) == 0; }

// Not a call either: something in code that was not built to tell its accesses
// (protocol/patch_records.h).
inline bool is_unseen_code(const UnmodelledCall& call) {
  return call.name.rfind("plain ", 0) == 0 || call.name.find("locked instructions") == 0 ||
         call.name.rfind("what may be locked ", 0) == 0;
}

// Where an object lies that is in a process's own memory.
struct ObjectMemory {
  ObjectPlace place;
  uint64_t address = 0;
  ProcessId process = kNoProcess;
};

class Program {
 public:
  virtual ~Program() = default;

  // Runs one execution: the plan's prefix, then always the first enabled choice. `out` is
  // overwritten (and its memory reused). An error means that the world failed; whatever the program
  // under test does is an Execution.
  virtual Result<void> run(const Plan& plan, Execution& out) = 0;

  // Runs the first of `count` plans, at least one and as many as it likes, and gives back how many.
  // Requires that there is one.
  virtual Result<size_t> run_some(const Plan* plans, size_t count, Execution* out) {
    MAZURKA_CHECK(count > 0);
    if (Result<void> ran = run(*plans, *out); !ran) return ran.error();
    return size_t{1};
  }

  // Another instance of the program, with the same ids for threads and objects, that another kernel
  // thread may run at the same time. May be called on any.
  virtual Result<std::unique_ptr<Program>> another() {
    return Error{"there is only one instance of this program"};
  }

  // From now on an execution is cut (End::Stopped) when this is overdue; null: never. Instances
  // that are made later do the same.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): who overrides it keeps it
  virtual void stop_by(std::shared_ptr<const Stop>) {}
  // Whether it is overdue.
  virtual bool is_stopped() const { return false; }

  // "T0.2": the second thread that T0 created.
  virtual std::string thread_name(ThreadId id) const = 0;
  // The path of `id` from the first thread: empty for it, {2} for "T0.2".
  virtual std::vector<uint32_t> thread_path(ThreadId id) const = 0;
  // The id for a path, in this and all later executions.
  virtual Result<ThreadId> intern_thread(const std::vector<uint32_t>& path) = 0;
  // What is known of an object, for schedules and reports.
  virtual std::string object_name(ObjectId id) const = 0;
  // What is known of the memory at an address.
  virtual std::string memory_name(const ObjectPlace&, uint64_t) const { return {}; }
  // Where it lies, if in memory of a loaded file: its source may know the variable.
  virtual std::optional<uint64_t> object_address(ObjectId) const { return std::nullopt; }
  // The same of all that is in no memory that processes share, and in none that is the kernel's.
  virtual std::optional<ObjectMemory> object_memory(ObjectId) const { return std::nullopt; }

  // Static memory and code of which the user says something. Holds for this and all later
  // instances.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): who overrides it keeps them
  virtual void annotate(std::vector<AnnotatedMemory>, std::vector<AnnotatedCode>) {}
  // The memory there was tentatively unshared, or what the function that begins there allocates or
  // has on its stack; and is shared from the next execution on.
  virtual void share(uint64_t) {}

  // What the program was seen to need: private files, from when on it was about to change one, and
  // locks of streams. More of it is visible from then on, so a search that began before starts
  // anew.
  virtual Needs needs() const { return {}; }
  // From the start.
  virtual void set_needs(Needs) {}

  // What the ids of threads and objects stand for, so that they mean the same when a saved search
  // goes on; and the calls below. To be restored before anything is run.
  virtual std::string save_names() const { return {}; }
  virtual Result<void> restore_names(const std::string&) {
    return Error{"a search of this program cannot go on later"};
  }

  // Grows when something was learned about the program that makes its operations others: then a
  // search must start anew, as for private files.
  virtual uint64_t learned() const { return 0; }
  // What of that later runs of the program must know from the start, so that a schedule means the
  // same there.
  virtual std::vector<SeenAccess> seen_accesses() const { return {}; }
  virtual void see_accesses(const std::vector<SeenAccess>&) {}
  // The search starts anew, and knows more of the program's code.
  virtual void forget_unseen_code() {}

  virtual std::vector<UnmodelledCall> unmodelled() const { return {}; }
  // What a user should know about how it was run.
  virtual Remarks<Note> notes() const { return {}; }
  // Whether its accesses to memory are seen, atomics included. If not, the verdict says what it is
  // worth without them.
  virtual bool instrumented() const { return false; }
  // Whether locked instructions of code that does not tell its accesses are operations, and whether
  // it executed some.
  virtual bool sees_locked_instructions() const { return false; }
  virtual bool has_locked_instructions() const { return false; }
  // Modules whose accesses are not seen although others' are: their names; empty if there are none.
  virtual std::string blind_modules() const { return {}; }
  // What the verdict takes for granted beside that.
  virtual Remarks<Assumption> assumptions() const { return {}; }
};

}  // namespace mazurka
