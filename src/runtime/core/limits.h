// Limits of ours that a program reaches: its execution is cut there, and the search goes on.
#pragma once

namespace mazurka {

// Ends the execution. `what` says which limit, and is at most a line long.
[[noreturn]] void limit_reached(const char* what);

}  // namespace mazurka
