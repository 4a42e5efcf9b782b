// Finds the locked instructions in a file's code: those with a `lock` prefix, and exchanges with
// memory. The runtime makes operations of them.
//
// What is sure: code is decoded from the start of a function that unwind information or a symbol
// names. Compilers put no data between instructions, so this finds each of them; a function with
// bytes that are no instruction is left alone, and so is what belongs to no function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/patch_records.h"

namespace mazurka {

struct AtomicSites {
  std::vector<PatchSite> sites;  // by address
  uint64_t unsure_count = 0;     // places that look like one, in bytes that may be data
  uint64_t unsure = 0;           // the first of them
};

// Damaged or missing files have none.
AtomicSites find_atomic_sites(const std::string& path);

// The instruction at this address, in whose place a thread may come to us. Requires that one begins
// there. None if it cannot be done elsewhere.
std::optional<PatchSite> loop_site(const std::string& path, uint64_t address);

// The C library, the dynamic linker and our own runtime are not searched: what they do is ours
// already. Neither are the C++ libraries: they count references to locales and exceptions, which no
// program can tell apart but by who destroys an exception. What their headers do (shared_ptr,
// latches) is in the program's own code.
bool may_have_atomic_sites(const std::string& path);

}  // namespace mazurka
