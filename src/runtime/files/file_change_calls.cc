// Calls that change files by their paths.
#include <linux/fs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "runtime/core/raw.h"
#include "runtime/files/file_syscalls.h"
#include "runtime/files/mapped_files.h"
#include "runtime/sockets/address_files.h"

namespace mazurka {
namespace {

constexpr char kOutside[] = "a change to /proc, /dev or /sys";

void change_links(const Resolved& at, int difference) {
  if (at.look.file == 0) return;
  PrivateFile& file = private_file(at.look.file);
  if (is_directory(at.look)) file.links = 1;
  file.links = static_cast<uint32_t>(static_cast<int>(file.links) + difference);
  file.status_ns = file_time_now();
}

// Why there cannot be a new entry at this name, as an errno value.
int error_of_making(const Resolved& at) {
  if (at.error != 0) return at.error;
  if (at.look.exists) return EEXIST;
  return error_of_changing_entries(at.path);
}

int error_of_removing(const Resolved& at, bool wants_directory) {
  if (at.error != 0) return at.error;
  if (!at.look.exists) return ENOENT;
  if (const int error = error_of_changing_entries(at.path)) return error;
  if (!wants_directory) return is_directory(at.look) ? EISDIR : at.wants_directory ? ENOTDIR : 0;
  if (!is_directory(at.look)) return ENOTDIR;
  return is_empty_directory(at.look, at.path) ? 0 : ENOTEMPTY;
}

int error_of_replacing(const Resolved& from, const Resolved& to, unsigned flags) {
  if (from.error != 0) return from.error;
  if (!from.look.exists) return ENOENT;
  if (to.error != 0) return to.error;
  if (to.look.exists && (flags & RENAME_NOREPLACE) != 0) return EEXIST;
  for (const char* const path : {from.path, to.path}) {
    if (const int error = error_of_changing_entries(path)) return error;
  }
  const bool moves_directory = is_directory(from.look);
  if (moves_directory && strcmp(from.path, to.path) != 0 && is_within(to.path, from.path))
    return EINVAL;
  if (!moves_directory && (from.wants_directory || to.wants_directory)) return ENOTDIR;
  if (!to.look.exists) return 0;
  if (moves_directory != is_directory(to.look)) return moves_directory ? ENOTDIR : EISDIR;
  return !moves_directory || is_empty_directory(to.look, to.path) ? 0 : ENOTEMPTY;
}

// The private file for what is there.
uint32_t own(const Resolved& at, long& error) {
  error = 0;
  const mode_t type = at.look.status.st_mode & S_IFMT;
  if (at.look.file == 0 && type != S_IFREG && type != S_IFDIR && type != S_IFLNK)
    return error = -EPERM, 0;
  return private_copy(at.path, at.look, true, error);
}

constexpr int64_t kNoMode = -1;

// Where there is no file. `mode`: the new permissions, if it is these.
long change_address(const char* path, int64_t mode, Call call) {
  uint32_t before = 0;
  if (!look_at_address(path, mode == kNoMode ? 0 : kChangesMode | mode, before, call))
    return -ENOENT;
  if (mode == kNoMode)
    name_unmodelled("a change of owner or times of a FIFO or socket that the program has made",
                    call);
  return 0;
}

// Changes something about what is at the path; `change(PrivateFile&)` returns an errno value.
// `address_mode`: for change_address.
template <typename F>
long change_status(FileVerb verb, int directory, const char* path, int flags, int64_t address_mode,
                   Call call, F&& change) {
  const Resolved& at = use_path({.verb = verb,
                                 .directory = directory,
                                 .path = path,
                                 .last = last_link(flags),
                                 .use = {.writes_data = true}},
                                call);
  if (at.is_outside) return name_unmodelled(kOutside, call), -EROFS;
  if (at.error != 0) return -at.error;
  if (!at.look.exists) return change_address(path, address_mode, call);
  long error = 0;
  const uint32_t file = own(at, error);
  if (file == 0) return error;
  const int refused = change(private_file(file));
  if (refused != 0) return -refused;
  private_file(file).status_ns = file_time_now();
  return 0;
}

void name_if_address(const char* path, Call call) {
  uint32_t mode = 0;
  if (look_at_address(path, 0, mode, call))
    name_unmodelled("a new name for a FIFO or socket that the program has made", call);
}

bool is_mine(const PrivateFile& file) {
  const auto user = static_cast<uint32_t>(raw_syscall(SYS_geteuid));
  return user == 0 || user == file.owner;
}

void set_time(int64_t& to, const timespec& wanted) {
  if (wanted.tv_nsec == UTIME_OMIT) return;
  to = wanted.tv_nsec == UTIME_NOW ? file_time_now()
                                   : wanted.tv_sec * 1'000'000'000 + wanted.tv_nsec;
}

}  // namespace

int error_of_changing_entries(const char* path) {
  if (path[1] == '\0') return EBUSY;
  char above[PATH_MAX];
  strcpy(above, path);
  to_parent(above);
  static FileLook look;
  look_at(above, look);
  if (!look.exists) return ENOENT;
  if (look.file != 0) {
    const PrivateFile& directory = private_file(look.file);
    const bool may = raw_syscall(SYS_geteuid) == 0 ||
                     (is_mine(directory) && (directory.mode & 0300) == 0300) ||
                     (directory.mode & 03) == 03;
    return may ? 0 : EACCES;
  }
  return static_cast<int>(
      -raw_syscall(SYS_faccessat2, AT_FDCWD, address_of(look.real), W_OK | X_OK, AT_EACCESS));
}

void data_was_changed(uint32_t file, Call call) {
  PrivateFile& changed = private_file(file);
  name_if_mapped(changed.device, changed.inode, true, call);
  changed.changed_ns = changed.status_ns = file_time_now();
}

void set_times(PrivateFile& file, const timespec* times) {
  const timespec now{0, UTIME_NOW};
  set_time(file.read_ns, times == nullptr ? now : times[0]);
  set_time(file.changed_ns, times == nullptr ? now : times[1]);
}

long file_unlink(int directory, const char* path, int flags, Call call) {
  const bool wants_directory = (flags & AT_REMOVEDIR) != 0;
  const Resolved& at = use_path(
      {.verb = wants_directory ? FileVerb::RemoveDirectory : FileVerb::Unlink,
       .directory = directory,
       .path = path,
       .last = LastLink::Keep,
       .use = {.removes = true, .lists = wants_directory, .changes_links = !wants_directory}},
      call);
  if (at.is_outside) return name_unmodelled(kOutside, call), -EROFS;
  const int error = error_of_removing(at, wants_directory);
  if (error == 0) {
    change_links(at, -1);
    set_name(at.path, 0);
  } else if (at.error == 0) {
    settle_name(at.path);
  }
  return -error;
}

long file_rename(int from_directory, const char* from_path, int to_directory, const char* to_path,
                 unsigned flags, Call call) {
  if ((flags & (RENAME_EXCHANGE | RENAME_WHITEOUT)) != 0)
    return name_unmodelled("renameat2 with RENAME_EXCHANGE", call), -EINVAL;
  const TwoPaths both = use_paths({.verb = FileVerb::Rename,
                                   .directory = from_directory,
                                   .path = from_path,
                                   .last = LastLink::Keep,
                                   .use = {.removes = true}},
                                  {.verb = FileVerb::Rename,
                                   .directory = to_directory,
                                   .path = to_path,
                                   .last = LastLink::Keep,
                                   .use = {.replaces = true, .lists = true, .changes_links = true}},
                                  call);
  const Resolved& from = *both.from;
  const Resolved& to = *both.to;
  if (from.is_outside || to.is_outside) return name_unmodelled(kOutside, call), -EXDEV;
  long error = -error_of_replacing(from, to, flags);
  const bool is_same = error == 0 && (strcmp(from.path, to.path) == 0 ||
                                      (to.look.exists && !is_directory(to.look) &&
                                       from.look.status.st_dev == to.look.status.st_dev &&
                                       from.look.status.st_ino == to.look.status.st_ino));
  const uint32_t file = error == 0 && !is_same ? own(from, error) : 0;
  if (file != 0) {
    if (to.look.exists) change_links(to, -1);
    const bool moves_directory = is_directory(from.look);
    set_name(to.path, file);
    set_name(from.path, 0);
    if (moves_directory) {
      if (is_in_use(from.path))
        name_unmodelled("rename of a directory that is open, or in which a process is", call);
      move_names(from.path, to.path);
    }
    private_file(file).name = name_record(to.path).path;
    private_file(file).status_ns = file_time_now();
  }
  if (from.error == 0) settle_name(from.path);
  if (to.error == 0) settle_name(to.path);
  if (error == -ENOENT) name_if_address(from_path, call);
  return error;
}

long file_link(int from_directory, const char* from_path, int to_directory, const char* to_path,
               int flags, Call call) {
  if ((flags & AT_EMPTY_PATH) != 0)
    return name_unmodelled("linkat with AT_EMPTY_PATH", call), -ENOENT;
  const TwoPaths both =
      use_paths({.verb = FileVerb::Link,
                 .directory = from_directory,
                 .path = from_path,
                 .last = (flags & AT_SYMLINK_FOLLOW) != 0 ? LastLink::Follow : LastLink::Keep,
                 .use = {.changes_links = true}},
                {.verb = FileVerb::Link,
                 .directory = to_directory,
                 .path = to_path,
                 .last = LastLink::Keep,
                 .use = {.makes = true}},
                call);
  const Resolved& from = *both.from;
  const Resolved& to = *both.to;
  if (from.is_outside || to.is_outside)
    return name_unmodelled("linkat of a descriptor, or in /proc, /dev or /sys", call), -EXDEV;
  long error = from.error != 0           ? -from.error
               : !from.look.exists       ? -ENOENT
               : is_directory(from.look) ? -EPERM
                                         : -error_of_making(to);
  const uint32_t file = error == 0 ? own(from, error) : 0;
  if (file != 0) {
    ++private_file(file).links;
    private_file(file).status_ns = file_time_now();
    set_name(to.path, file);
  }
  if (to.error == 0) settle_name(to.path);
  if (error == -ENOENT) name_if_address(from_path, call);
  return error;
}

namespace {

template <typename F>
long make_entry(FileVerb verb, int directory, const char* path, Call call, F&& make) {
  const Resolved& at = use_path({.verb = verb,
                                 .directory = directory,
                                 .path = path,
                                 .last = LastLink::Keep,
                                 .use = {.makes = true},
                                 .sees_addresses = true},
                                call);
  if (at.is_outside) return name_unmodelled(kOutside, call), -EROFS;
  int error = error_of_making(at);
  if (error == 0 && at.wants_directory && verb != FileVerb::MakeDirectory) error = ENOENT;
  if (error == 0) set_name(at.path, make());
  if (at.error == 0) settle_name(at.path);
  return -error;
}

}  // namespace

long file_symlink(const char* target, int directory, const char* path, Call call) {
  return make_entry(FileVerb::Symlink, directory, path, call, [&] {
    const uint32_t file = make_private_file(PrivateFile::Kind::Symlink, S_IFLNK | 0777);
    private_file(file).text = keep_file_text(target);
    return file;
  });
}

long file_make_directory(int directory, const char* path, mode_t mode, Call call) {
  return make_entry(FileVerb::MakeDirectory, directory, path, call, [&] {
    return make_private_file(PrivateFile::Kind::Directory, S_IFDIR | umasked(mode));
  });
}

long file_make(int directory, const char* path, mode_t mode, Call call) {
  return make_entry(FileVerb::Create, directory, path, call, [&] {
    return make_private_file(PrivateFile::Kind::Regular, S_IFREG | umasked(mode));
  });
}

long file_truncate(const char* path, long length, Call call) {
  if (length < 0) return -EINVAL;
  const Resolved& at = use_path({.verb = FileVerb::Truncate,
                                 .directory = AT_FDCWD,
                                 .path = path,
                                 .last = LastLink::Follow,
                                 .use = {.writes_data = true}},
                                call);
  if (at.is_outside) return raw_syscall(SYS_truncate, address_of(path), length);
  if (at.error != 0 || !at.look.exists) return at.error != 0 ? -at.error : -ENOENT;
  if (is_directory(at.look)) return -EISDIR;
  if (!S_ISREG(at.look.status.st_mode)) return -EINVAL;
  if (at.look.file == 0) {
    const long allowed =
        raw_syscall(SYS_faccessat2, AT_FDCWD, address_of(at.look.real), W_OK, AT_EACCESS);
    if (allowed != 0) return allowed;
  }
  long error = 0;
  const uint32_t file = own(at, error);
  if (file == 0) return error;
  const long fd = open_private(file, O_WRONLY | O_CLOEXEC);
  if (raw_failed(fd)) return fd;
  const long result = raw_syscall(SYS_ftruncate, fd, length);
  raw_syscall(SYS_close, fd);
  data_was_changed(file, call);
  return result;
}

long file_change_mode(int directory, const char* path, mode_t mode, int flags, Call call) {
  return change_status(FileVerb::Change, directory, path, flags, mode & 07777, call,
                       [&](PrivateFile& file) {
                         if (!is_mine(file)) return EPERM;
                         file.mode = (file.mode & S_IFMT) | (mode & 07777);
                         return 0;
                       });
}

long file_change_owner(int directory, const char* path, uid_t owner, gid_t group, int flags,
                       Call call) {
  constexpr uint32_t kKeeps = ~0u;
  return change_status(
      FileVerb::Change, directory, path, flags, kNoMode, call, [&](PrivateFile& file) {
        const bool is_root = raw_syscall(SYS_geteuid) == 0;
        if (!is_root && ((owner != kKeeps && owner != file.owner) || !is_mine(file))) return EPERM;
        if (owner != kKeeps) file.owner = owner;
        if (group != kKeeps) file.group = group;
        return 0;
      });
}

long file_change_times(int directory, const char* path, const timespec* times, int flags,
                       Call call) {
  return change_status(FileVerb::Change, directory, path, flags, kNoMode, call,
                       [&](PrivateFile& file) {
                         if (!is_mine(file)) return EPERM;
                         set_times(file, times);
                         return 0;
                       });
}

}  // namespace mazurka
