// Starts the program with our runtime inside, up to where its fork server stands.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/channel_options.h"
#include "execution/stop.h"
#include "program/shared_segment.h"

namespace mazurka {

struct LaunchOptions {
  std::vector<std::string> argv;
  std::string program_path;  // the file to execute
  std::string stdin_file;    // the same input for every execution; empty: none
  std::string runtime_path;  // libmazurka_rt.so
  Carrier carrier = Carrier::Fibers;
  Reset reset = Reset::Fork;
  bool only_this_reset = false;  // rather fail than go to the fork server
  MemoryMode memory = MemoryMode::Races;
  Discipline discipline = Discipline::Unchecked;
  Atomics atomics = Atomics::Unseen;
  // What the user says about memory and code: the same for all instances, and changed between
  // searches only.
  std::shared_ptr<std::vector<AnnotatedMemory>> annotated =
      std::make_shared<std::vector<AnnotatedMemory>>();
  std::shared_ptr<std::vector<AnnotatedCode>> annotated_code =
      std::make_shared<std::vector<AnnotatedCode>>();
  std::shared_ptr<std::vector<OlderCode>> older_code = std::make_shared<std::vector<OlderCode>>();
  ChannelOptions channels = {};
  bool watches = false;  // Needs::watches
};

// Writes what the runtime must know of these options into the segment.
void prepare_control(const LaunchOptions& options, SharedSegment& segment);

// A running fork server. Kills it (and with it every process of the program) in the end.
class Server {
 public:
  // Returns when it stands where the program's own code begins.
  // Fails when `stop` (or null) is overdue.
  static Result<Server> start(const LaunchOptions& options, SharedSegment& segment,
                              const Stop* stop);

  Server(Server&& other) noexcept;
  Server& operator=(Server&& other) noexcept;
  ~Server();

  pid_t pid() const { return pid_; }
  // False: it has died; never true again after that.
  bool alive();
  void stop();

 private:
  explicit Server(pid_t pid) : pid_(pid) {}

  pid_t pid_ = -1;
};

// The environment for the program: ours, and what carries the runtime.
std::vector<std::string> environment_for(const LaunchOptions& options,
                                         const std::string& segment_path);

}  // namespace mazurka
