// What operator new does when there is no memory, for memory that comes from elsewhere.
#pragma once

namespace mazurka {

// The handler that the command has set says so and ends it, with the right exit code.
[[noreturn]] void out_of_memory();

}  // namespace mazurka
