// Which pages were written, as the kernel tells it: userfaultfd in its asynchronous
// write-protection mode, and PAGEMAP_SCAN. A page that is watched costs one fault when it is
// written for the first time, and nothing after that. Linux 6.7 and later; memory_image.cc has
// another way for the others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// As the kernel writes it.
struct PageRun {
  uint64_t start;
  uint64_t end;
  uint64_t categories;
};

// Opens what it needs, on descriptors that the program does not meet. False: this kernel does not
// have it, or not for us.
bool open_written_pages();

// From now on pages of this mapping can be watched; those that are not there yet count as written
// once they are.
bool register_mapping(uintptr_t start, uintptr_t end);

// Requires that the pages are there, in a registered mapping.
bool watch_pages(uintptr_t start, uintptr_t end);

// The pages of registered mappings between the addresses that are not watched, or were written
// since: by address, in `runs`. Returns how many runs; -1: more than fit, or the kernel does not
// tell.
long written_pages(uintptr_t start, uintptr_t end, PageRun* runs, uint32_t most);

}  // namespace mazurka
