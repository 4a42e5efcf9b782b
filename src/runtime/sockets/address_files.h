// FIFOs and names of sockets as files. The model has them (kinds/sockets/socket.h), the file system
// does not: so who looks at their paths must be told. Where files are private that is an operation
// on the name (file_uses.cc). Where they are not yet, looks are no operations: a program that looks
// at what it makes gets private files.
#pragma once

#include "runtime/files/private_files.h"

namespace mazurka {

// Before a FIFO or the name of a socket is made.
void note_made_address(Call call);
// A look at a path, past the runtime, has found nothing. Keeps errno.
void note_missing(int directory, const char* path, Call call);

// A directory is opened, past the runtime, to list it.
void note_opened_directory(Call call);
// What is in it is listed: FIFOs and sockets are not.
void note_list(const char* directory, Call call);

// False: there is neither at this path, and nobody could make one meanwhile.
bool may_be_address(const char* path);
// Whether the program has made one at a path where there is no file: an operation. `value` as
// AddressLook has it; `mode` is what it is and its permissions.
bool look_at_address(const char* path, int64_t value, uint32_t& mode, Call call);
// What a look shows then; mode 0: nothing.
void show_address(const char* path, uint32_t mode, FileLook& out);

}  // namespace mazurka
