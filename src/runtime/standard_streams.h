// Standard input, output and error that lead to a pipe or socket with a model. libc reads and writes them by system calls
// of its own (printf, fgets), which no interposer sees; the kernel tells us of these (Syscall User Dispatch).
#pragma once

namespace mazurka {

// To be called when a descriptor may have got a model, and where a process begins: after fork and after exec.
void watch_standard_streams();

}  // namespace mazurka
