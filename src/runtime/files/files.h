// Which files the program has open, so that their locks have a model (kinds/files/file_lock.h).
// What was opened for writing, or made, leads to a description from the start. What is opened for
// reading alone is left to the kernel, and only remembered: where nobody else can have got hold of
// it since, it gets a description when it is locked.
#pragma once

#include <sys/types.h>

#include "runtime/core/runtime.h"

namespace mazurka {

// open, as libc has it: -1 with errno.
int open_file(int directory, const char* path, int flags, mode_t mode, Call call);
// Opens a file that the call may change. Returns the descriptor, or a negated errno value.
long open_to_change(int directory, const char* path, int flags, mode_t mode, Call call);
// The parts of that, where files are private (private_files.h): the description before the
// operation, and what becomes of it.
ObjectId new_file_description(Call call);
void add_file_descriptor(int fd, ObjectId description, int flags);
void forget_file_description(ObjectId description);
// It was opened for reading alone.
void remember_opened(int fd);
// There is another descriptor that leads to the same, or it is closed.
void forget_opened(int fd);

// The file behind the descriptor, the same for all who open it by whatever name, or kNoObject: it
// is no file, or there is none.
ObjectId file_of(int fd);
// Whether a descriptor of any process leads to the file.
bool is_open_somewhere(uint64_t device, uint64_t inode);
// The file is gone: nobody will come to it any more.
void forget_file(uint64_t device, uint64_t inode);
// The description behind the descriptor, if that leads to a file; or kNoObject: who else uses it is
// not known.
ObjectId file_description_of(int fd);
// The same for one that is to be locked.
ObjectId description_to_lock(int fd);

// Before the kernel closes a descriptor that leads to no description, or to one that this process
// has further descriptors of: records of this process go with it.
void close_file_descriptor(int fd, Call call);
// Whether there are any.
bool close_gives_up_records(int fd);
// The same as above for all from `first` to `last` that lead to no description; `at_exec`: those
// that an exec closes.
void close_other_files(unsigned first, unsigned last, bool at_exec, Call call);

// Whether a record on this file may have been lost, or may get lost, at a time that no operation
// tells.
bool closes_are_unknown(int fd);

}  // namespace mazurka
