// Files that are mapped: what the program does there is not seen as an operation on the file. So
// nobody may change by calls what is mapped, nor read by calls what may be changed by a mapping.
#pragma once

#include "runtime/files/private_files.h"

namespace mazurka {

// A mapping is made. Returns the descriptor to map instead, which the caller closes, or `fd`.
int file_to_map(int fd, bool shares_writing, Call call);
// After the operation of a call on it: until then others may map it.
void name_if_mapped(uint64_t device, uint64_t inode, bool writes, Call call);

}  // namespace mazurka
