// For accesses_test.cc: worlds of a few threads and objects that can be saved, compared and stepped
// through, so that all their states can be visited. A thread does what it likes: in each state it
// may stand before any operation of a menu, but for those that follow from its last one (the second
// half of a wait).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "objects/accesses.h"
#include "objects/world.h"

namespace mazurka {

// The same text, to be kept for good.
const char* keep(const std::string& name);

// What the invisible code after an operation does.
enum class Then : uint8_t { GoesOn, LeavesThread, EndsProcess, Forks, Spawns };

struct MenuItem {
  const char* name = "";
  Operation op;
  Then then = Then::GoesOn;
  uint32_t who = ~0u;  // whose choice it is: one bit for each thread
};

struct SmallWorldCase {
  std::string name;
  std::function<void(World&)> set_up;  // of a cleared world; threads in status Running
  std::vector<MenuItem> menu;
};

std::vector<SmallWorldCase> small_world_cases();
std::vector<SmallWorldCase> small_world_channels();
std::vector<SmallWorldCase> small_world_file_locks();
std::vector<SmallWorldCase> small_world_file_uses();
std::vector<SmallWorldCase> small_world_queues();
std::vector<SmallWorldCase> small_world_timers();
std::vector<SmallWorldCase> small_world_sockets();
std::vector<SmallWorldCase> small_world_signals();
std::vector<SmallWorldCase> small_world_several();
std::vector<SmallWorldCase> all_small_worlds();

// One transition: the thread, what it does, with which outcome.
struct Label {
  ThreadId thread = kNoThread;
  uint32_t number = 0;  // of the item, among those of the thread
  MenuItem item;
  Outcome outcome = kOnlyOutcome;
};

inline constexpr uint32_t kMaxWorldThreads = 8;  // with those that are created

using Accesses = std::vector<Access>;
bool dependent(const Accesses& a, const Accesses& b);
bool same(const Accesses& a, const Accesses& b);
bool same(const Effect& a, const Effect& b);

class SmallWorld {
 public:
  // Which description each number of a process is, kNoObject for those that are free: a new
  // descriptor gets the lowest. The models leave that to the kernel, but programs see it.
  using Numbers = std::vector<std::vector<ObjectId>>;
  // A copy of what is in use, and no more: worlds are large.
  struct Saved {
    uint64_t moves = 0;
    uint64_t events = 0;
    uint32_t part_count = 0;
    std::vector<ThreadState> threads;
    std::vector<ProcessState> processes;
    std::vector<SemUndo> undo;
    std::vector<Message> messages;
    std::vector<Object> objects;
    std::vector<PendingSignal> signals;
    std::vector<SignalTable> signal_tables;
    std::vector<FileLock> file_locks;
    Numbers numbers;
  };
  using View = std::vector<int64_t>;
  // accesses(), or a wrong one.
  using AccessesFunction = std::function<void(const World&, const Label&, AccessList&)>;

  explicit SmallWorld(const SmallWorldCase& chosen);

  // All choices of a thread in this state: items, each with its enabled outcomes.
  std::vector<MenuItem> items(ThreadId thread) const;
  std::vector<Outcome> outcomes(ThreadId thread, const MenuItem& item) const;
  std::vector<Label> enabled_labels() const;
  bool is_enabled(const Label& label) const;

  Accesses accesses_of(const Label& label, const AccessesFunction& function) const;
  // What the program sees of it: of a look at several semaphores, all values.
  Effect take(const Label& label);

  Saved save() const;
  void load(const Saved& saved);
  // All that a program or a model can see, in a form that does not depend on the order of
  // independent operations. Without clocks it is also without counts of moves: finitely many.
  View view(bool clocks) const;
  // What tells states apart in a search: the view without clocks, which yields have been
  // waiting in vain, which variables have changed, and for whom which timers have expired.
  View key() const;
  // Whether something counts further than this test follows it.
  bool is_far() const;

  uint32_t threads() const { return world_.thread_limit; }
  const World& world() const { return world_; }
  World& world() { return world_; }

 private:
  void go_on(const Label& label, const Effect& effect);
  void stand_before(ThreadId thread, const Operation& op);
  void run_handler(ThreadId thread);
  void create(ThreadId creator, bool process);
  void number_descriptions();
  void number(ProcessId process, ObjectId description);
  void change_numbers(const Label& label);
  ThreadId next_child(ThreadId creator) const;

  World& world_;
  const SmallWorldCase& case_;
  Numbers numbers_;
};

}  // namespace mazurka
