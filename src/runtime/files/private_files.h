// Files of an execution's own. What a program makes or changes on disk is never done there: a later
// execution could read it, and the user's files are the user's. A name that the program changes
// leads to a private file, whose bytes are memory of the fork server's (as behind shm_open), or
// nowhere; all others lead where the kernel says. The tables are in the segment, for all processes;
// only the thread that runs looks at them, right after an operation that says what it uses
// (file_uses.h).
//
// Off until a program is about to change a file: then the search starts anew with it.
#pragma once

#include <limits.h>
#include <sys/stat.h>

#include "runtime/core/runtime.h"

namespace mazurka {

bool uses_private_files();
// Before a FIFO or the name of a socket is made where files are private.
void need_private_addresses();
// Whether there may be any.
bool has_private_addresses();

// Before a call that changes a file, if that is not private: the execution ends here, and the
// search starts anew with private files; where that cannot be, the call is named.
void need_private_files(const char* name, Call call);

// What is at a canonical path whose directory exists.
struct FileLook {
  bool exists = false;
  bool is_address = false;  // a FIFO or the name of a socket (address_files.h)
  uint32_t file = 0;        // the private one, +1
  struct stat status {};    // as lstat has it
  char real[PATH_MAX];  // where the kernel has it; "": nowhere. Of a private directory: its other
                        // entries.
};
void look_at(const char* path, FileLook& out);
inline bool is_directory(const FileLook& look) {
  return look.exists && S_ISDIR(look.status.st_mode);
}

inline PrivateFile& private_file(uint32_t file) { return segment().private_files[file - 1]; }
inline const char* file_text(uint32_t text) { return segment().file_text + text; }
uint32_t keep_file_text(const char* text);

// The record of a canonical path; made if there is none.
FileNameRecord& name_record(const char* path);
// The name leads to the private file from now on, or nowhere (0).
void set_name(const char* path, uint32_t file);
// Where one thread is alone, thousands of names may be looked up, and nobody else ever asks for
// most of them: the log need not know of their objects, nor of those of what they lead to. From
// here on it knows of this one.
void tell(ObjectId object);
bool is_told(ObjectId object);
// What the model knows of the name is what is there: after a call that has not done what its
// operation said.
void settle_name(const char* path);
// What is in a file. `name`: for people.
ObjectId data_object(const struct stat& status, const char* name);
// Whether another thread may come to what is in this directory by a descriptor, or by the working
// directory of a process: then its calls name what they use by where it was.
bool is_in_use(const char* directory);
// A directory has got another name: so has all that is in it.
void move_names(const char* from, const char* to);
// Calls f(record, rest of its path) for each name that the program has changed in this directory
// itself.
template <typename F>
void each_changed_entry(const char* directory, F&& f);

// An empty one, without a name yet. `mode`: what is to be left of it after umask, and what it is.
uint32_t make_private_file(PrivateFile::Kind kind, uint32_t mode);
// The private file for what is there; a copy of what the kernel has is made if there is none.
// `keeps`: what is in it, too. 0: it cannot be read, and -errno is in `error`. Requires that it
// exists, and is a regular file, a directory or a symbolic link.
uint32_t private_copy(const char* path, const FileLook& look, bool keeps, long& error);
// The one with this device and inode; 0 if there is none.
uint32_t copy_of(uint64_t device, uint64_t inode);
// A descriptor on the bytes of a regular one, with flags of open(2); -errno on failure.
long open_private(uint32_t file, int flags);

// What umask leaves of the permissions.
uint32_t umasked(mode_t mode);

void show_status(uint32_t file, struct stat& out);
// Of a directory: when its entries were last changed, if the program has changed any.
void show_time_of_entries(const char* path, struct stat& out);
int64_t file_time_now();

// A file that a descriptor leads to.
struct OpenFile {
  bool is_file = false;   // a regular one, or a directory
  bool is_stale = false;  // the kernel's, of which there is a private copy now
  uint32_t file = 0;      // the private one, +1
  struct stat status {};  // as fstat should have it
};
OpenFile open_file_at(int fd);

// The directory that a descriptor leads to (AT_FDCWD: the working directory), as a canonical path.
// Returns an errno value.
int directory_path(int fd, char (&path)[PATH_MAX]);
OpenedDirectory* opened_directory(int fd);
void remember_directory(ObjectId description, const char* path);
void forget_directory(ObjectId description);

// What the server does: before each execution.
void prepare_private_files();

// --- small

inline bool is_within(const char* path, const char* directory) {
  const size_t length = __builtin_strlen(directory);
  if (length == 1) return path[0] == '/';
  return __builtin_strncmp(path, directory, length) == 0 &&
         (path[length] == '\0' || path[length] == '/');
}
// The part behind the last slash; and what is before it is made the path.
const char* last_component(const char* path);
void to_parent(char* path);

template <typename F>
void each_changed_entry(const char* directory, F&& f) {
  const Segment& s = segment();
  const size_t length = __builtin_strlen(directory) == 1 ? 0 : __builtin_strlen(directory);
  for (uint32_t i = 0; i < s.file_name_count; ++i) {
    const FileNameRecord& record = s.file_names[i];
    const char* const path = file_text(record.path);
    if (!record.is_changed || !is_within(path, directory) || path[length] != '/') continue;
    const char* const entry = path + length + 1;
    if (*entry != '\0' && __builtin_strchr(entry, '/') == nullptr) f(record, entry);
  }
}

}  // namespace mazurka
