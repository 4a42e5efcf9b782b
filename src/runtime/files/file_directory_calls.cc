// Directories: what is in them is what the kernel has there, less what the program has removed, and
// what it has made.
#include <dirent.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/sockets/address_files.h"

namespace mazurka {
namespace {

// As getdents64 has it.
struct Entry {
  uint64_t inode;
  int64_t next;
  uint16_t length;
  uint8_t type;
  char name[];
};

constexpr size_t kBuffer = 1 << 15;
alignas(8) char buffer[kBuffer];

bool is_dots(const char* name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

bool is_changed(const char* directory, const char* name) {
  bool changed = false;
  each_changed_entry(directory, [&](const FileNameRecord&, const char* entry) {
    changed = changed || strcmp(entry, name) == 0;
  });
  return changed;
}

uint8_t type_of(uint32_t mode) { return static_cast<uint8_t>((mode & S_IFMT) >> 12); }

// Calls f(name, inode, type, position after it) for each that the kernel has, from a position on,
// until it returns false. False: f did.
template <typename F>
bool each_real_entry(const char* real, const char* directory, uint32_t from, F&& f) {
  const long fd =
      raw_syscall(SYS_openat, AT_FDCWD, address_of(real), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (raw_failed(fd)) return true;
  bool goes_on = true;
  for (uint32_t position = 0; goes_on;) {
    const long filled = raw_syscall(SYS_getdents64, fd, address_of(buffer), sizeof buffer);
    if (filled <= 0) break;
    for (long at = 0; goes_on && at < filled;) {
      const Entry* const entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->length;
      if (position++ < from || is_changed(directory, entry->name)) continue;
      goes_on = f(entry->name, entry->inode, entry->type, position);
    }
  }
  raw_syscall(SYS_close, fd);
  return goes_on;
}

// The made one with the smallest name after `last`; null if there is none.
const FileNameRecord* next_made(const char* directory, const char* last) {
  const FileNameRecord* next = nullptr;
  each_changed_entry(directory, [&](const FileNameRecord& record, const char* entry) {
    if (record.file == 0 || strcmp(entry, last) <= 0) return;
    if (next == nullptr || strcmp(entry, last_component(file_text(next->path))) < 0) next = &record;
  });
  return next;
}

// The same for all, the made ones last and by their names: the order does not tell who came first,
// and what is made meanwhile moves nobody.
template <typename F>
void each_entry(const FileLook& look, const char* directory, uint32_t from, F&& f) {
  if (look.real[0] == '\0') {
    if (from < 1 && !f(".", look.status.st_ino, DT_DIR, 1)) return;
    if (from < 2 && !f("..", look.status.st_ino, DT_DIR, 2)) return;
  } else if (from < kFirstMadeEntry && !each_real_entry(look.real, directory, from, f)) {
    return;
  }
  const FileNameRecord* const names = segment().file_names;
  const char* last =
      from < kFirstMadeEntry ? "" : last_component(file_text(names[from - kFirstMadeEntry].path));
  while (const FileNameRecord* const made = next_made(directory, last)) {
    last = last_component(file_text(made->path));
    const PrivateFile& file = private_file(made->file);
    if (!f(last, file.inode, type_of(file.mode),
           kFirstMadeEntry + static_cast<uint32_t>(made - names)))
      return;
  }
}

}  // namespace

bool is_empty_directory(const FileLook& look, const char* path) {
  bool is_empty = true;
  each_entry(look, path, 0, [&](const char* name, uint64_t, uint8_t, uint32_t) {
    return is_empty = is_dots(name);
  });
  return is_empty;
}

long file_list(int fd, void* out, size_t size, Call call) {
  const OpenFile opened = open_file_at(fd);
  use_file(FileVerb::List, fd, opened, FileUsage::ReadsData, true, call);
  OpenedDirectory* const directory = opened_directory(fd);
  if (directory == nullptr)
    return raw_syscall(SYS_getdents64, fd, address_of(out), static_cast<long>(size));
  note_list(file_text(directory->path), call);
  static FileLook look;
  look_at(file_text(directory->path), look);
  if (!look.exists) return 0;
  size_t used = 0;
  bool is_short = false;
  each_entry(look, file_text(directory->path), directory->position,
             [&](const char* name, uint64_t inode, uint8_t type, uint32_t position) {
               const size_t length = (offsetof(Entry, name) + strlen(name) + 1 + 7) / 8 * 8;
               if (length > size - used) return !(is_short = true);
               Entry* const entry = reinterpret_cast<Entry*>(static_cast<char*>(out) + used);
               entry->inode = inode;
               entry->next = position;
               entry->length = static_cast<uint16_t>(length);
               entry->type = type;
               strcpy(entry->name, name);
               used += length;
               directory->position = position;
               return true;
             });
  return used == 0 && is_short ? -EINVAL : static_cast<long>(used);
}

long file_enter(int directory, const char* path, Call call) {
  if (has_unseen_threads(world(), current_thread()))
    name_unmodelled("chdir while other threads of the process may use paths", call);
  const Resolved& at = use_path({.verb = FileVerb::Enter,
                                 .directory = directory,
                                 .path = path,
                                 .last = LastLink::Follow,
                                 .use = {}},
                                call);
  ProcessSlot& slot = process_slot(current_process());
  if (at.is_outside) {
    const long result = raw_syscall(SYS_chdir, address_of(path));
    if (result == 0) slot.directory = 0;
    return result;
  }
  if (at.error != 0 || !at.look.exists) return at.error != 0 ? -at.error : -ENOENT;
  if (!S_ISDIR(at.look.status.st_mode)) return -ENOTDIR;
  if (at.look.file == 0) {
    const long result = raw_syscall(SYS_chdir, address_of(at.look.real));
    if (result != 0) return result;
  }
  slot.directory =
      at.look.file == 0 && strcmp(at.look.real, at.path) == 0 ? 0 : keep_file_text(at.path);
  return 0;
}

long file_working_directory(char* out, size_t size) {
  const ProcessSlot& slot = process_slot(current_process());
  if (slot.directory == 0) return raw_syscall(SYS_getcwd, address_of(out), static_cast<long>(size));
  const size_t length = strlen(file_text(slot.directory)) + 1;
  if (length > size) return -ERANGE;
  memcpy(out, file_text(slot.directory), length);
  return static_cast<long>(length);
}

}  // namespace mazurka
