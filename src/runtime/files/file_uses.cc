#include "runtime/files/file_uses.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/core/raw.h"
#include "runtime/sockets/address_files.h"
#include "runtime/sync/sysv_sets.h"

namespace mazurka {
namespace {

constexpr int kMostLinks = 40;

// What is at a path: on the disk as it was, or as the execution has it.
enum class Time : uint8_t { Before, Now };

void look_before(const char* path, FileLook& out) {
  out.file = 0;
  strcpy(out.real, path);
  const long result = raw_syscall(SYS_newfstatat, AT_FDCWD, address_of(path),
                                  address_of(&out.status), AT_SYMLINK_NOFOLLOW);
  out.exists = !raw_failed(result);
}

bool read_link(const FileLook& look, char (&to)[PATH_MAX]) {
  if (look.file != 0) return strcpy(to, file_text(private_file(look.file).text)), true;
  const long length =
      raw_syscall(SYS_readlink, address_of(look.real), address_of(to), sizeof to - 1);
  if (raw_failed(length)) return false;
  to[length] = '\0';
  return true;
}

// Goes along a path, name by name.
class Walk {
 public:
  Walk(Time time, Resolved& to, Uses& uses) : time_(time), to_(to), uses_(uses) {}

  void go(int directory, const char* path, LastLink last) {
    to_.error = 0;
    to_.is_outside = to_.wants_directory = false;
    to_.look.exists = true;
    to_.look.is_address = false;
    if (path[0] == '\0') return fail(ENOENT);
    if (strlen(path) >= PATH_MAX) return fail(ENAMETOOLONG);
    strcpy(rest_, path);
    if (path[0] == '/') {
      strcpy(to_.path, "/");
    } else if (const int error = directory_path(directory, to_.path)) {
      return fail(error);
    }
    const char* next = rest_;
    while (step(next, last)) {
    }
    if (to_.error == 0 && !to_.is_outside && !is_at_name_) look();
  }

 private:
  void fail(int error) {
    to_.error = error;
    to_.look.exists = false;
  }

  void look() {
    if (time_ == Time::Now) {
      look_at(to_.path, to_.look);
    } else {
      look_before(to_.path, to_.look);
    }
  }

  // False: there is nothing more, or it cannot go on.
  bool step(const char*& next, LastLink last) {
    const char* const before = next;
    next += strspn(next, "/");
    to_.wants_directory = next != before && before != rest_;
    if (*next == '\0') return false;
    to_.wants_directory = false;
    const size_t length = strcspn(next, "/");
    const char* const component = next;
    next += length;
    is_at_name_ = false;
    if (length == 1 && component[0] == '.') return true;
    if (length == 2 && component[0] == '.' && component[1] == '.') return to_parent(to_.path), true;
    if (!append(component, length)) return false;
    if (keeps_nothing(to_.path)) return to_.is_outside = true, false;
    return enter(next, last);
  }

  bool append(const char* component, size_t length) {
    const size_t before = to_.path[1] == '\0' ? 0 : strlen(to_.path);
    if (length > NAME_MAX || before + length + 1 >= PATH_MAX) return fail(ENAMETOOLONG), false;
    to_.path[before] = '/';
    memcpy(to_.path + before + 1, component, length);
    to_.path[before + 1 + length] = '\0';
    return true;
  }

  bool enter(const char*& next, LastLink last) {
    is_at_name_ = true;
    uses_.add(name_record(to_.path).object, FileUsage::LooksUp);
    look();
    const bool is_last = next[strspn(next, "/")] == '\0';
    if (!to_.look.exists ||
        (!is_last && !S_ISDIR(to_.look.status.st_mode) && !S_ISLNK(to_.look.status.st_mode))) {
      to_.wants_directory = is_last && *next != '\0';
      if (is_last) return false;
      if (time_ == Time::Before) return true;  // the program may make what is missing
      return fail(to_.look.exists ? ENOTDIR : ENOENT), false;
    }
    if (S_ISLNK(to_.look.status.st_mode) && (!is_last || *next != '\0' || last == LastLink::Follow))
      return follow(next);
    return true;
  }

  bool follow(const char*& next) {
    static char target[PATH_MAX];
    static char joined[PATH_MAX * 2];
    if (++links_ > kMostLinks) return fail(ELOOP), false;
    if (!read_link(to_.look, target)) return fail(ENOENT), false;
    if (strlen(target) + strlen(next) + 1 >= sizeof buffer_) return fail(ENAMETOOLONG), false;
    snprintf(joined, sizeof joined, "%s%s", target, next);
    if (target[0] == '/') {
      strcpy(to_.path, "/");
    } else {
      to_parent(to_.path);
    }
    memcpy(rest_, joined, strlen(joined) + 1);
    next = rest_;
    return true;
  }

  const Time time_;
  Resolved& to_;
  Uses& uses_;
  int links_ = 0;
  bool is_at_name_ = false;
  char* const rest_ = buffer_;
  static char buffer_[PATH_MAX * 2];
};
char Walk::buffer_[PATH_MAX * 2];

void add_use_of_name(const Resolved& at, const NameUse& use, Uses& uses) {
  if (at.error != 0 || at.is_outside) return;
  const ObjectId name = name_record(at.path).object;
  const auto add = [&](bool wanted, FileUsage usage) {
    if (wanted) uses.add(name, usage);
  };
  const bool changes = use.makes || use.removes || use.replaces;
  if (changes) {
    char above[PATH_MAX];
    strcpy(above, at.path);
    to_parent(above);
    uses.add(name_record(above).object, FileUsage::ChangesEntries);
    uses.add(name_record("/").object, FileUsage::ChangesEntries);
  }
  add(use.lists, FileUsage::Lists);
  add(use.reads_data, FileUsage::ReadsDataBehind);
  add(use.writes_data, FileUsage::WritesDataBehind);
  add(use.reads_links, FileUsage::ReadsLinksBehind);
  add(use.changes_links, FileUsage::ChangesLinksBehind);
  add(use.makes, FileUsage::Makes);
  add(use.removes, FileUsage::Removes);
  add(use.replaces, FileUsage::Replaces);
}

void find(Time time, const PathCall& wanted, Resolved& to, Uses& uses) {
  Walk(time, to, uses).go(wanted.directory, wanted.path, wanted.last);
  add_use_of_name(to, wanted.use, uses);
}

bool is_of_description(const OpPart& part) {
  return part.file.usage == FileUsage::MovesOffset || part.file.usage == FileUsage::UsesDescription;
}

void happen(FileVerb verb, ObjectId object, ObjectId second, const Uses& uses, Call call) {
  Operation op{.kind = OpKind::FileUse,
               .object = object,
               .second = second,
               .value = static_cast<int64_t>(verb)};
  const uint32_t parts_before = world().part_count;
  memcpy(room_for_parts(uses.count), uses.parts, uses.count * sizeof(OpPart));
  add_parts(op, uses.count);
  if (!world().alone(current_thread())) {
    for (uint32_t i = 0; i < uses.count; ++i) {
      if (!is_of_description(uses.parts[i])) tell(uses.parts[i].object);
    }
    reach(op, call);
    return;
  }
  // The log must know of what changes where it is no operation, and of nothing else.
  const uint64_t changing = changing_parts(world(), op);
  const uint32_t touched = world().touched_count;
  happen_at_once(op, call);
  world().touched_count = touched;
  world().part_count = parts_before;
  for (uint32_t i = 0; i < uses.count; ++i) {
    const ObjectId behind = looked_behind(world(), uses.parts[i]).object;
    if ((changing >> i & 1) != 0 && (is_of_description(uses.parts[i]) || is_told(behind)))
      world().touch(behind);
  }
}

Resolved first;
Resolved other;

// What stands in an operation for the path, whatever becomes of links on the way.
ObjectId object_of(const Resolved& before) {
  return before.error != 0 ? kNoObject : name_record(before.path).object;
}

// `find_all(time, uses)` finds where the paths lead.
template <typename F>
void use_names(FileVerb verb, bool has_second, F&& find_all, Call call) {
  Uses uses;
  find_all(Time::Before, uses);
  const ObjectId object = object_of(first);
  const ObjectId second = has_second ? object_of(other) : kNoObject;
  if (uses.count == 0) return find_all(Time::Now, uses);
  for (;;) {
    happen(verb, object, second, uses, call);
    Uses now;
    find_all(Time::Now, now);
    if (uses.covers(now)) return;
    // From here on it depends on all changes of names.
    Uses all;
    all.add(name_record("/").object, FileUsage::Lists);
    happen(FileVerb::Look, name_record("/").object, kNoObject, all, call);
    uses.count = 0;
    find_all(Time::Now, uses);
  }
}

// Others may run meanwhile, and use `first`.
void find_address_at_first(Call call) {
  if (first.error != 0 || first.is_outside || first.look.exists || !may_be_address(first.path))
    return;
  char path[PATH_MAX];
  strcpy(path, first.path);
  const bool wants_directory = first.wants_directory;
  uint32_t mode = 0;
  const bool is_there = look_at_address(path, 0, mode, call);
  first.error = 0;
  first.is_outside = false;
  first.wants_directory = wants_directory;
  strcpy(first.path, path);
  show_address(path, is_there ? mode : 0, first.look);
}

// For people.
const char* name_of(int fd, const OpenFile& file) {
  if (file.file != 0 && private_file(file.file).name != 0)
    return last_component(file_text(private_file(file.file).name));
  static char path[PATH_MAX];
  char link[48];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long length =
      raw_syscall(SYS_readlink, address_of(link), address_of(path), sizeof path - 1);
  if (raw_failed(length)) return "file";
  path[length] = '\0';
  return path[0] == '/' ? last_component(path) : path;
}

void add_use_of_file(int fd, const OpenFile& file, FileUsage usage, bool moves_offset, Uses& uses) {
  const ObjectId description = any_description_of(fd);
  if (S_ISDIR(file.status.st_mode)) {
    char path[PATH_MAX];
    if (directory_path(fd, path) == 0)
      uses.add(name_record(path).object,
               usage == FileUsage::WritesData ? FileUsage::ChangesEntries : FileUsage::Lists);
  } else {
    // Who else reads on from there is not known.
    const bool is_unknown = description == kNoObject && moves_offset;
    const ObjectId data = data_object(file.status, name_of(fd, file));
    uses.add(data, is_unknown ? FileUsage::WritesData : usage);
    if (usage == FileUsage::ReadsData && !is_unknown && !moves_offset)
      uses.add(data, FileUsage::ReadsLinks);
  }
  if (description != kNoObject)
    uses.add(description, moves_offset ? FileUsage::MovesOffset : FileUsage::UsesDescription);
}

}  // namespace

void Uses::add(ObjectId object, FileUsage usage) {
  for (uint32_t i = 0; i < count; ++i) {
    if (parts[i].object == object && parts[i].file.usage == usage) return;
  }
  if (count == kMaxFileParts)
    runtime_error("a path with more names on its way than Mazurka can follow (64)");
  parts[count++] = used(object, usage);
}

bool Uses::covers(const Uses& others) const {
  for (uint32_t i = 0; i < others.count; ++i) {
    bool is_here = false;
    for (uint32_t k = 0; k < count; ++k)
      is_here = is_here || memcmp(&parts[k], &others.parts[i], sizeof(OpPart)) == 0;
    if (!is_here) return false;
  }
  return true;
}

const Resolved& use_path(const PathCall& wanted, Call call) {
  use_names(
      wanted.verb, false, [&](Time time, Uses& uses) { find(time, wanted, first, uses); }, call);
  if (wanted.sees_addresses) find_address_at_first(call);
  return first;
}

TwoPaths use_paths(const PathCall& from, const PathCall& to, Call call) {
  use_names(
      from.verb, true,
      [&](Time time, Uses& uses) {
        find(time, from, first, uses);
        find(time, to, other, uses);
      },
      call);
  return {&first, &other};
}

void use_file(FileVerb verb, int fd, const OpenFile& file, FileUsage usage, bool moves_offset,
              Call call) {
  Uses uses;
  add_use_of_file(fd, file, usage, moves_offset, uses);
  happen(verb, uses.parts[0].object, kNoObject, uses, call);
}

void use_files(FileVerb verb, int from, const OpenFile& read, int to, const OpenFile& written,
               Call call) {
  Uses uses;
  if (written.is_file) add_use_of_file(to, written, FileUsage::WritesData, true, uses);
  if (read.is_file) add_use_of_file(from, read, FileUsage::ReadsData, true, uses);
  happen(verb, uses.parts[0].object, kNoObject, uses, call);
}

bool keeps_nothing(const char* path) {
  if (is_within(path, "/dev/shm")) return false;
  return is_within(path, "/dev") || is_within(path, "/proc") || is_within(path, "/sys");
}

}  // namespace mazurka
