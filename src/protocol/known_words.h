// Memory that several threads use, one of them to write, in words of 8 bytes, which accesses
// may cut into pieces: with composed transitions, accesses to it count as
// accesses of the transitions. The tool writes what it knows before a batch, the runtime adds what
// it meets.
#pragma once

#include "protocol/segment.h"

namespace mazurka {

inline constexpr uint32_t kNoWord = ~uint32_t{0};

// Its place among the words; kNoWord: it is not there.
uint32_t find_word(const KnownWords& known, const MemoryWord& word);
// False: there is no room. Requires that it is not there.
bool add_word(KnownWords& known, const MemoryWord& word);
// Tells the tool of what it does not know about a word that is there. False: there is no room.
bool tell_word(KnownWords& known, const MemoryWord& word);
void clear_words(KnownWords& known);

}  // namespace mazurka
