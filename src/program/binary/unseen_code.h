// Code of an instrumented file that accesses memory and does not tell: functions that are excepted
// (no_sanitize), or that were compiled without instrumentation and linked in; and inline assembly,
// as far as machine code shows it: locked instructions and exchanges, which the compiler has made
// calls, and accesses to static variables whose address the function never tells. What goes by a
// pointer in assembly of an instrumented function is not seen here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka {

// Places of the first such access of each function, as in the file. The compiler's own code may be
// among them: it has no lines. Requires that the file is instrumented.
std::vector<uint64_t> unseen_code(const std::string& path);

}  // namespace mazurka
