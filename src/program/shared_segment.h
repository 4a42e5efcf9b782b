// The tool's side of the shared segment: a memfd that the program's processes map, too. Gone with
// the last of them.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "protocol/segment.h"

namespace mazurka {

class SharedSegment {
 public:
  static Result<SharedSegment> create();

  SharedSegment(SharedSegment&& other) noexcept;
  SharedSegment& operator=(SharedSegment&&) = delete;
  ~SharedSegment();
  void swap(SharedSegment& other) noexcept;

  Segment& operator*() const { return *segment_; }
  Segment* operator->() const { return segment_; }

  // A path by which a process of the same user finds it, while this one lives.
  std::string path() const;

 private:
  SharedSegment(int fd, Segment* segment) : fd_(fd), segment_(segment) {}

  int fd_;
  Segment* segment_;
};

// "/proc/PID/fd/N" of this process.
std::string path_of_descriptor(int fd);

// A new memfd, or an Error.
Result<int> new_memory_file(const char* name);

// Room in the segment's kept text. 0 for the empty string. Requires that no execution runs.
uint32_t keep_text(Segment& segment, const std::string& text);

}  // namespace mazurka
