// The private writable memory of this process, as the kernel lists it. For memory_image.cc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

inline constexpr uint32_t kMaxAreas = 4096;
inline constexpr size_t kMapsBytes = size_t{1} << 20;

// A private writable mapping.
struct Area {
  uintptr_t start;
  uintptr_t end;
  uintptr_t
      mapped_from;  // `start`, but for the first thread's stack: that may grow down to `start`
  bool from_file;
};

// Large, and to be kept out of the image itself: in shared memory.
struct AreaList {
  Area areas[kMaxAreas];  // by address
  uint32_t count;
  char text[kMapsBytes];  // what the kernel said
};

// False: the kernel does not tell, or there are too many.
bool list_areas(AreaList& list);

}  // namespace mazurka
