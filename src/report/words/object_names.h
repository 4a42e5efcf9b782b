// What the objects of findings are called: by the variables that lead to them in a state in which
// they are used. The program is run until there once more and held still, and what it looks like
// comes through a seam.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "execution/program.h"
#include "source/object_finder.h"

namespace mazurka {

struct StandingThread {
  ProcessId process = kNoProcess;
  std::vector<FrameState> frames;  // innermost first
};

struct StandingState {
  std::vector<StandingThread> threads;
  std::function<bool(ProcessId, uint64_t address, void* to, size_t size)> read;
};

// Runs the plan, and calls back while the program stands still after it.
using LookAt = std::function<Result<void>(const Plan&, const std::function<void(StandingState)>&)>;

// The same object has the same name everywhere; no two have the same.
class ObjectNames {
 public:
  // The program must outlive it.
  ObjectNames(const Program& program, LookAt look) : program_(program), look_(std::move(look)) {}

  // From now on nothing more is learned when this is overdue; null: never.
  void stop_by(std::shared_ptr<const Stop> stop) { stop_ = std::move(stop); }
  // Learns the names of what the first `length` transitions of the execution and whoever stands
  // after them use. `files`: those that are loaded by now.
  void learn(const Execution& execution, size_t length, const Limits& limits,
             const std::vector<LoadedFile>& files);

  // Empty if there is none.
  std::string object(ObjectId id) const;
  std::string memory(const MemoryConflict& conflict) const;

 private:
  // An object, or memory that a conflict is about.
  struct Sought {
    ObjectId object = kNoObject;
    const MemoryConflict* conflict = nullptr;
    ObjectMemory memory;
    size_t first = 0;  // states in which it is there
    size_t last = 0;
  };
  using MemoryKey = std::tuple<Storage, ThreadId, uint32_t, uint64_t>;

  std::vector<Sought> sought_in(const Execution& execution, size_t length) const;
  bool look_at(const Execution& execution, size_t at, const Limits& limits,
               std::vector<Sought>& open);
  void read(const StandingState& state, std::vector<Sought>& here);
  void name(const Sought& sought, const std::vector<Expression>& expressions);
  static MemoryKey key_of(const MemoryConflict& conflict);

  const Program& program_;
  LookAt look_;
  std::shared_ptr<const Stop> stop_;
  size_t file_count_ = 0;
  std::unique_ptr<ObjectFinder> finder_;
  std::map<ObjectId, std::string> objects_;  // "" for those that have no name
  std::map<MemoryKey, std::string> memory_;
  std::set<std::string> taken_;
};

}  // namespace mazurka
