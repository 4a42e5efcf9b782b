// What all instances of a program keep for a whole search: one numbering of threads and objects,
// the files they loaded, the calls that no model covers. The program may overwrite a shared
// segment; names, reports and the next launch must not suffer from it.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "execution/program.h"
#include "protocol/segment.h"

namespace mazurka {

// A file that the program has mapped: for source lines and names.
struct LoadedModule {
  std::string path;
  uint64_t base = 0;  // load bias
  uint64_t start = 0;
  uint64_t end = 0;
  ProcessId process = kNoProcess;  // in which process, and those forked from it
};

// How much of the logbook a segment has, and how much of the segment the logbook.
struct Shared {
  uint32_t threads = 0;
  uint32_t objects = 0;
  uint32_t modules = 0;
  std::vector<uint32_t> calls;  // counts of the segment's unmodelled calls
};

class Logbook {
 public:
  // Writes what the segment does not have yet. Requires that no execution runs there.
  void give(Segment& segment, Shared& shared) const;
  // Takes over what is new. False: other names were given those numbers meanwhile. Then the segment
  // has lost its new names, and what was run with them means nothing. Requires that the segment is
  // intact.
  [[nodiscard]] bool take(Segment& segment, Shared& shared);

  std::vector<uint32_t> thread_path(ThreadId id) const;
  std::string object_name(ObjectId id) const;
  std::string memory_name(const ObjectPlace& place, uint64_t address) const;
  std::optional<uint64_t> object_address(ObjectId id) const;
  std::optional<ObjectMemory> object_memory(ObjectId id) const;
  std::vector<LoadedModule> modules() const;
  std::vector<UnmodelledCall> unmodelled() const;
  // One that the tool has noticed.
  void name_call(const char* name, uint64_t pc);
  // What was said of plain accesses holds no more, since more of them are seen.
  void forget_unseen_code();

  // For a search that goes on later. Reading puts what was saved in the place of all that is here;
  // false if that is damaged.
  std::string save() const;
  [[nodiscard]] bool restore(const std::string& bytes);

  // Why a reset in place does not do for this program; "" while it does.
  std::string why_fork() const;
  void say_why_fork(const std::string& why);
  // Bits of UnaskedOption, of all instances.
  uint8_t unasked() const { return unasked_; }
  // Whether some instance has executed locked instructions that were replaced.
  bool has_locked_instructions() const;
  void note_locked_instructions();

  // What the program is known to need.
  Needs needs() const { return needs_; }
  void set_needs(Needs wanted) { needs_ = wanted; }

 private:
  struct KeptObject {
    ObjectName name;
    ObjectPlace place;
    std::string text;  // the place's
  };

  std::string name_of(const ObjectPlace& place, uint64_t address, const std::string& text) const;
  void take_names(const Segment& segment, Shared& shared);
  void take_modules(const Segment& segment, Shared& shared);
  void take_calls(const Segment& segment, Shared& shared);

  mutable std::mutex mutex_;
  std::atomic<uint32_t> name_count_ = 0;  // threads and objects
  std::vector<ThreadName> threads_;
  std::vector<KeptObject> objects_;
  std::vector<LoadedModule> modules_;
  std::map<std::string, UnmodelledCall> calls_;
  std::string why_fork_;
  bool has_locked_instructions_ = false;
  std::atomic<Needs> needs_ = Needs{};
  std::atomic<uint8_t> unasked_ = 0;
};

// "T0.2": the second thread that T0 created.
std::string thread_name(const std::vector<uint32_t>& path);

}  // namespace mazurka
