// The search from a state on: explores all continuations in an instance of the program of its own,
// while the page goes on.
#pragma once

#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "explore/engine/search.h"
#include "sim/server/subject.h"

namespace mazurka {

class SearchJob {
 public:
  // The subject must outlive it.
  explicit SearchJob(const Subject& subject) : subject_(subject) {}
  ~SearchJob() { stop(); }

  // Ends what was running. All that can follow the first steps of a run is explored.
  void start(std::vector<PlannedStep> root);
  // Returns when it has ended. It ends by itself when nobody has asked for its status for a minute:
  // the page was closed.
  void stop();

  struct Status {
    bool is_running = false;
    uint32_t root_length = 0;
    Counts counts;
    double seconds = 0;
    size_t findings = 0;
    std::optional<Verdict> verdict;  // once it has ended
    std::string trouble;             // why it could not begin
  };
  Status status();

 private:
  void search(const SearchOptions& options);

  const Subject& subject_;
  std::thread thread_;
  volatile std::sig_atomic_t stopped_ = 0;
  std::mutex mutex_;
  Status status_;
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace mazurka
