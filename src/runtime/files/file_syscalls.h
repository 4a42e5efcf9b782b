// System calls on files, where files are private (private_files.h): each is one operation, or a few
// (file_uses.h), and is done right after it on what the execution has. They come from our own
// interposers, from syscall(), and from libc, which the kernel tells us of (watched_calls.h).
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/files/file_uses.h"

namespace mazurka {

// Whether the call is about a file, so that it must be done here. `arguments` are six. Does nothing
// that a signal handler must not.
bool is_file_call(long number, const long* arguments);
// Requires is_file_call. The result as the kernel gives it.
long do_file_call(long number, const long* arguments, Call call);

// --- by path (file_path_calls.cc, file_change_calls.cc)

long file_open(int directory, const char* path, int flags, mode_t mode, Call call);
long file_stat(int directory, const char* path, struct stat* out, int flags, Call call);
long file_statx(int directory, const char* path, int flags, unsigned mask, struct statx* out,
                Call call);
long file_access(int directory, const char* path, int wanted, int flags, Call call);
// Whether there is a file, of whatever kind: not what the model alone has (address_files.h).
bool file_exists(const char* path);
long file_read_link(int directory, const char* path, char* out, size_t size, Call call);
long file_status_of_system(const char* path, void* out, Call call);
// The file that exec is to run, and that it can be read; "" if the kernel shall look itself.
long file_to_run(int directory, const char* path, char (&out)[PATH_MAX], Call call);

long file_unlink(int directory, const char* path, int flags, Call call);
long file_rename(int from_directory, const char* from, int to_directory, const char* to,
                 unsigned flags, Call call);
long file_link(int from_directory, const char* from, int to_directory, const char* to, int flags,
               Call call);
long file_symlink(const char* target, int directory, const char* path, Call call);
long file_make_directory(int directory, const char* path, mode_t mode, Call call);
// A regular one.
long file_make(int directory, const char* path, mode_t mode, Call call);
long file_truncate(const char* path, long length, Call call);
long file_change_mode(int directory, const char* path, mode_t mode, int flags, Call call);
long file_change_owner(int directory, const char* path, uid_t owner, gid_t group, int flags,
                       Call call);
long file_change_times(int directory, const char* path, const timespec* times, int flags,
                       Call call);

// --- by descriptor (file_data_calls.cc, file_directory_calls.cc)

long file_transfer(long number, const long* arguments, Call call);
long file_seek(int fd, long offset, int whence, Call call);
long file_fstat(int fd, struct stat* out, Call call);
long file_change_data(long number, const long* arguments, Call call);
long file_copy(long number, const long* arguments, Call call);

long file_list(int fd, void* out, size_t size, Call call);
long file_enter(int directory, const char* path, Call call);
long file_working_directory(char* out, size_t size);

// --- for these files

// Whether an entry may be made or removed there. Returns an errno value.
int error_of_changing_entries(const char* path);
// The entries of a directory: calls f(name, inode, type) for each until it returns false, in an
// order that is always the same.
bool is_empty_directory(const FileLook& look, const char* path);
void data_was_changed(uint32_t file, Call call);
void set_times(PrivateFile& file, const timespec* times);

}  // namespace mazurka
