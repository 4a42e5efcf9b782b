// With composed transitions: which memory a transition reads and writes. Only words that several
// threads use count, and which those are is learned (protocol/known_words.h): a search that meets a
// new one starts anew.
#pragma once

#include <cstddef>
#include <cstdint>

#include "objects/accesses.h"

namespace mazurka {

// An access by the thread that runs, plain or atomic. Mode::Add: of an operation that commutes with
// its like.
void note_words(uintptr_t address, size_t size, Mode mode);

}  // namespace mazurka
