// Memory that the user has annotated (Stoller's section 10): one thread uses it, so its accesses
// are neither interleaved nor a part of the locking discipline. That it is so is checked: who uses
// it beside the first thread is told in the log, as an error or, where it was only tentatively
// unshared, for the tool to learn. What a thread does that is alone does not count.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// Some memory is, and an execution runs.
extern bool memory_is_annotated;

// Checks what of the access is to such memory. True if all of it is.
bool check_unshared(uintptr_t address, size_t size, bool writes, uint64_t pc);

}  // namespace mazurka
