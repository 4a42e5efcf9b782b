// Chance, made repeatable: what a thread draws depends on which thread it is and on how much it has
// drawn, on nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka {

uint64_t draw_random();
void fill_random(void* bytes, size_t count);

bool is_random_device(const char* path);
// A descriptor that reads like the random device; -errno on failure. `flags` as for open: O_CLOEXEC
// counts.
int open_random_device(int flags);

}  // namespace mazurka
