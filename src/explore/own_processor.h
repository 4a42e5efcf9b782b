// A processor for each worker, where there are as many workers as processors: then worker and program, which take
// turns, never wait for each other's caches to be filled on another one.
#pragma once

#include <sched.h>

#include <cstddef>

namespace mazurka {

class OwnProcessor {
 public:
  // For the calling kernel thread, until this object is gone. Does nothing unless `jobs` is the number of its processors.
  OwnProcessor(size_t number, size_t jobs);
  ~OwnProcessor();
  OwnProcessor(const OwnProcessor&) = delete;
  OwnProcessor& operator=(const OwnProcessor&) = delete;

 private:
  cpu_set_t before_;
  bool changed_ = false;
};

}  // namespace mazurka
