// The private writable memory of this process as it was at one moment, and the way back to it.
//
// What an execution writes for the first time costs a page fault: either the page was not there, or
// it was watched (written_pages.h). So while the kernel's count of faults stands still, the pages
// that we know are all there are, and these are simply copied back; when it has moved, we ask which
// pages were written. What a search pays is in proportion to what the program writes, not to what
// it has. Where the kernel cannot watch pages, all of them are copied.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

// More than this is left to the fork server: with pages that are watched, and where all is copied
// each time.
inline constexpr size_t kMaxImageBytes = size_t{1} << 30;
inline constexpr size_t kMaxCopiedBytes = size_t{8} << 20;

// Takes the image of all that is private and writable. Must run on a stack outside of that (shared
// memory). False: too much, or the kernel does not tell. May be called again later, with the memory
// as it is then.
bool take_image();
// Whether there is little enough memory now. Requires that it was taken before.
bool may_take_image();

// Gives every page its old bytes back, and takes mappings away that were made since. False: memory
// that we did not know of was written, and could not be looked up.
bool restore_image();

// The count of faults costs a system call. While nothing new has been written for a while it need
// not be asked each time: this gives back only the pages that are known. False: it must be asked
// now, by restore_image().
bool restore_known_pages();
// Whether others were written, too, since the last restore_image(): then each execution since, but
// for the first, may have found what another one left behind.
bool has_missed_pages();

// A function of libc's is being looked up (REAL in runtime.h): what is found stays.
void note_found_function();

// The program's memory got a new mapping: it goes with the execution.
void note_new_mapping(uintptr_t start, size_t length);

}  // namespace mazurka
