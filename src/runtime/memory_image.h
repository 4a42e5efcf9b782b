// The private writable memory of this process as it was at one moment, and the way back to it.
//
// A page that an execution writes for the first time costs a page fault. So while the kernel's count of faults stands still,
// the pages that we know are all there are; when it has moved, we look for new ones. Known pages are copied back after each
// execution: for small programs that is cheaper than asking the kernel which of them were written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// More than this is not worth copying each time.
inline constexpr size_t kMaxImageBytes = size_t{8} << 20;

// Takes the image of all that is private and writable. Must run on a stack outside of that (shared memory). False: too much, or
// the kernel does not tell.
bool take_image();

// Gives every page its old bytes back, and takes mappings away that were made since. False: memory that we did not know of
// was written, and could not be looked up.
bool restore_image();

// The program's memory got a new mapping: it goes with the execution.
void note_new_mapping(uintptr_t start, size_t length);

}  // namespace mazurka
