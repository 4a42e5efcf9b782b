// Whether the program still has an address somewhere, though what was there is gone: then it may
// compare it with one that it gets later.
#pragma once

#include <cstdint>

namespace mazurka {

// Looks through the program's static memory and its heap blocks. False, too, after so many looks:
// each takes time.
bool is_address_kept(uintptr_t address);

}  // namespace mazurka
