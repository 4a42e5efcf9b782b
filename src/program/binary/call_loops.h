// Whether a call lies in a loop of its function, as machine code shows it: so a wait for a
// condition that an `if` guards can be told from one in a `while`.
#pragma once

#include <cstdint>
#include <string>

namespace mazurka {

// Whether control may come from behind the call to the call again. `return_address`: as in the
// file. True, too, where that cannot be told: no such function, jumps by register.
bool may_come_back(const std::string& path, uint64_t return_address);

}  // namespace mazurka
