// What the author of a stopped program would call the memory at an address: "pool.mutex_",
// "forks[2]", "session->lock", "Queue::mutex_". Searched from the variables of all frames, through
// members, elements, pointers and smart pointers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "source/frame_state.h"
#include "source/frame_variables.h"

namespace mazurka {

// `block`: where its heap block begins; 0 for what is on no heap.
struct SoughtPlace {
  uint64_t address = 0;
  uint64_t block = 0;
};

// One way to say it. The lower the cost, the closer to who owns the object.
struct Expression {
  std::string text;
  int cost = 0;
};

class ObjectFinder {
 public:
  explicit ObjectFinder(std::vector<LoadedFile> modules) : variables_(std::move(modules)) {}

  // For each place what it may be called, the best first, each text once. `frames`: of all threads
  // that share the memory.
  std::vector<std::vector<Expression>> find(const std::vector<SoughtPlace>& sought,
                                            const std::vector<FrameState>& frames,
                                            const ReadMemory& memory);

 private:
  FrameVariables variables_;
};

}  // namespace mazurka
