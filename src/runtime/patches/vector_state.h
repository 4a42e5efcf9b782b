// The vector and floating-point registers of a thread at a locked instruction: all of them belong
// to it, and what we call may use any.
#pragma once

#include <cstdint>

namespace mazurka {

// How many there are. False: this processor cannot save them.
bool find_vectors();
// The same, and where each is when it was saved.
bool prepare_vectors();

// A number for those in use, as patched_entry.S has saved them.
uint64_t hash_of_vectors(const uint8_t* saved);

}  // namespace mazurka

// For patched_entry.S.
extern "C" {
extern __attribute__((visibility("hidden"))) uint64_t mazurka_vector_size;
extern __attribute__((visibility("hidden"))) uint32_t mazurka_vector_mask;
extern __attribute__((visibility("hidden"))) uint8_t mazurka_vectors_are_compact;
}
