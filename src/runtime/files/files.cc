#include "runtime/files/files.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/files/private_files.h"
#include "runtime/reset/kernel_effects.h"

namespace mazurka {
namespace {

Description& at(ObjectId id) { return world().object(id).description; }

bool find_file(int fd, struct stat& status) {
  if (raw_failed(program_syscall(SYS_fstat, fd, address_of(&status)))) return false;
  if (uses_private_files()) status = open_file_at(fd).status;
  return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

bool is_same(const FileRecord& record, const struct stat& status) {
  return record.device == status.st_dev && record.inode == status.st_ino;
}

// kNoObject: nobody has opened it to change it, or locked it.
ObjectId known_file(const struct stat& status) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.file_count; ++i) {
    if (is_same(s.files[i], status)) return s.files[i].object;
  }
  return kNoObject;
}

bool is_taken(ObjectId object) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.file_count; ++i) {
    if (s.files[i].object == object) return true;
  }
  return false;
}

uint64_t hash_of(const char* text, uint64_t hash) {
  for (const char* c = text; *c != '\0'; ++c)
    hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
  return hash;
}

// False: the kernel does not tell.
bool find_path(int fd, char (&path)[PATH_MAX]) {
  const uint32_t file = uses_private_files() ? open_file_at(fd).file : 0;
  if (file != 0 && private_file(file).name != 0)
    return strcpy(path, file_text(private_file(file).name)), true;
  char link[48];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long length =
      program_syscall(SYS_readlinkat, AT_FDCWD, address_of(link), address_of(path), PATH_MAX - 1);
  if (raw_failed(length)) return false;
  path[length] = '\0';
  return path[0] == '/';
}

// Its number may be another one in the next execution, where the program makes it; its path is not.
// One with several names has none that all who open it would give it, one without a name is known
// to the thread that made it and its heirs.
ObjectId object_for(int fd, const struct stat& status) {
  if (status.st_nlink == 0) return named_object("file", next_number(), "", ObjectKind::File);
  char path[PATH_MAX];
  if ((status.st_nlink > 1 && !S_ISDIR(status.st_mode)) || !find_path(fd, path)) {
    snprintf(path, sizeof path, "/file %llu of device %llu",
             static_cast<unsigned long long>(status.st_ino),
             static_cast<unsigned long long>(status.st_dev));
  }
  // Where another file had the path before, it is a new one.
  for (uint64_t salt = hash_of(path, static_cast<uint64_t>(ObjectKind::File));; ++salt) {
    const ObjectId object =
        object_by_name(strrchr(path, '/') + 1, salt, ObjectKind::File, Storage::Name);
    if (!is_taken(object)) return object;
  }
}

// Those that this process has made. Where a thread is alone it takes what it had closed: a program
// may open thousands of files before others come, and the log has to know of each description.
struct MadeDescription {
  ObjectId id;
  ThreadId thread;
};
MadeDescription made_descriptions[64];
uint32_t made_count;

ObjectId remembered(ObjectId made) {
  constexpr uint32_t kMost = sizeof made_descriptions / sizeof *made_descriptions;
  if (made_count < kMost) made_descriptions[made_count++] = {made, current_thread()};
  return made;
}

ObjectId closed_description() {
  if (!uses_private_files()) return kNoObject;
  for (uint32_t i = 0; i < made_count; ++i) {
    const MadeDescription& made = made_descriptions[i];
    if (made.thread != current_thread() || at(made.id).holder_count > 0) continue;
    at(made.id) = {};
    forget_directory(made.id);
    world().touch(made.id);
    return made.id;
  }
  return kNoObject;
}

void set_file(ObjectId description, ObjectId file, int flags) {
  const int access = flags & O_ACCMODE;
  if (access != O_WRONLY) at(description).reads = file;
  if (access != O_RDONLY) at(description).writes = file;
  world().touch(description);
}

OpenedFile* find_opened(int fd) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.opened_count; ++i) {
    if (s.opened[i].process == current_process() && s.opened[i].fd == fd) return &s.opened[i];
  }
  return nullptr;
}

void remember_closed(const struct stat& status) {
  Segment& s = segment();
  if (s.closed_count < kMaxClosedFiles)
    s.closed[s.closed_count] = {current_process(), 0, 0, status.st_dev, status.st_ino};
  if (s.closed_count <= kMaxClosedFiles) ++s.closed_count;
}

bool was_closed(const struct stat& status) {
  const Segment& s = segment();
  if (s.closed_count > kMaxClosedFiles) return true;
  for (uint32_t i = 0; i < s.closed_count; ++i) {
    const ClosedFile& closed = s.closed[i];
    if (closed.process == current_process() && closed.device == status.st_dev &&
        closed.inode == status.st_ino)
      return true;
  }
  return false;
}

}  // namespace

// Nobody else has it.
void forget_file_description(ObjectId description) {
  at(description).remove_holder(current_process());
  world().touch(description);
}

ObjectId new_file_description(Call call) {
  ObjectId made = world().alone(current_thread()) ? closed_description() : kNoObject;
  if (made == kNoObject)
    made =
        remembered(make_description("file", next_number(), " (descriptor)", kNoObject, kNoObject));
  open_descriptions(made, kNoObject, call);
  return made;
}

void add_file_descriptor(int fd, ObjectId description, int flags) {
  set_file(description, file_of(fd), flags);
  add_descriptor(fd, description, (flags & O_CLOEXEC) != 0);
}

long open_to_change(int directory, const char* path, int flags, mode_t mode, Call call) {
  const ObjectId description = new_file_description(call);
  const long fd =
      program_syscall(SYS_openat, directory, address_of(path), flags, static_cast<long>(mode));
  const ObjectId file = raw_failed(fd) ? kNoObject : file_of(static_cast<int>(fd));
  if (file == kNoObject) {
    forget_file_description(description);
    return fd;
  }
  add_file_descriptor(static_cast<int>(fd), description, flags);
  return fd;
}

void remember_opened(int fd) {
  Segment& s = segment();
  const ThreadId me = current_thread();
  forget_opened(fd);
  if (s.opened_count == kMaxOpenedFiles || has_unseen_threads(world(), me)) return;
  s.opened[s.opened_count++] = {current_process(), me, fd, world().thread(me).children};
}

void forget_opened(int fd) {
  Segment& s = segment();
  if (OpenedFile* const opened = find_opened(fd)) *opened = s.opened[--s.opened_count];
}

ObjectId file_of(int fd) {
  struct stat status {};
  if (!find_file(fd, status)) return kNoObject;
  const ObjectId known = known_file(status);
  if (known != kNoObject) return known;
  Segment& s = segment();
  if (s.file_count == kMaxFiles) limit_reached("the program changes or locks more than 1024 files");
  const ObjectId object = object_for(fd, status);
  s.files[s.file_count++] = {status.st_dev, status.st_ino, object, 0};
  return object;
}

namespace {

FileRecord* find_record(uint64_t device, uint64_t inode) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.file_count; ++i) {
    if (s.files[i].device == device && s.files[i].inode == inode) return &s.files[i];
  }
  return nullptr;
}

}  // namespace

bool is_open_somewhere(uint64_t device, uint64_t inode) {
  const Segment& s = segment();
  const FileRecord* const file = find_record(device, inode);
  if (file == nullptr) return false;
  for (uint32_t i = 0; i < s.descriptor_count; ++i) {
    const Description& description = at(s.descriptors[i].description);
    if (description.reads == file->object || description.writes == file->object) return true;
  }
  return false;
}

void forget_file(uint64_t device, uint64_t inode) {
  Segment& s = segment();
  if (FileRecord* const file = find_record(device, inode)) *file = s.files[--s.file_count];
}

ObjectId file_description_of(int fd) {
  const ObjectId id = any_description_of(fd);
  return id != kNoObject && kind_behind(world(), at(id)) == ObjectKind::File ? id : kNoObject;
}

ObjectId description_to_lock(int fd) {
  const ObjectId known = file_description_of(fd);
  if (known != kNoObject) return known;
  const OpenedFile* const opened = find_opened(fd);
  const ThreadId me = current_thread();
  if (opened == nullptr || opened->thread != me || opened->children != world().thread(me).children)
    return kNoObject;
  const ObjectId file = file_of(fd);
  if (file == kNoObject) return kNoObject;
  const ObjectId description = new_file_description({});
  set_file(description, file, static_cast<int>(program_syscall(SYS_fcntl, fd, F_GETFL)));
  add_descriptor(fd, description, (program_syscall(SYS_fcntl, fd, F_GETFD) & FD_CLOEXEC) != 0);
  return description;
}

void close_file_descriptor(int fd, Call call) {
  forget_opened(fd);
  const bool has_threads = has_unseen_threads(world(), current_thread());
  if (!has_threads && !has_records(world(), current_process())) return;
  struct stat status {};
  if (!find_file(fd, status)) return;
  const ObjectId file = known_file(status);
  const bool is_followed = file_description_of(fd) != kNoObject;
  if (has_threads && !is_followed) remember_closed(status);
  if (file == kNoObject) return;
  const bool gives_up = has_records(world(), current_process(), file);
  if (!has_threads && !gives_up) return;
  if (has_threads && !is_followed && gives_up)
    name_unmodelled(
        "close of a file opened for reading only, on which another thread may have a record lock",
        call);
  reach({.kind = OpKind::FileForget, .object = file}, call);
}

bool close_gives_up_records(int fd) {
  struct stat status {};
  if (!has_records(world(), current_process()) || !find_file(fd, status)) return false;
  const ObjectId file = known_file(status);
  return file != kNoObject && has_records(world(), current_process(), file);
}

void close_other_files(unsigned first, unsigned last, bool at_exec, Call call) {
  constexpr unsigned kMostDescriptors = 4096;  // beyond it nobody looks
  for (unsigned i = first; i <= last && i < kMostDescriptors; ++i) {
    if (!has_records(world(), current_process())) return;
    const int fd = static_cast<int>(i);
    const long flags = program_syscall(SYS_fcntl, fd, F_GETFD);
    if (raw_failed(flags) || any_description_of(fd) != kNoObject) continue;
    if (!at_exec || (flags & FD_CLOEXEC) != 0) close_file_descriptor(fd, call);
  }
}

bool closes_are_unknown(int fd) {
  struct stat status {};
  if (!has_unseen_threads(world(), current_thread())) return false;
  return file_description_of(fd) == kNoObject || (find_file(fd, status) && was_closed(status));
}

}  // namespace mazurka
