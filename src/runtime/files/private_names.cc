// Names that the program has looked up or changed, and where they lead.
#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/channels/descriptors.h"
#include "runtime/core/limits.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/private_files.h"

namespace mazurka {
namespace {

uint64_t hash_of(const char* text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  return hash;
}

// Where it is in the table, or would be.
uint32_t& place_of(const char* path, uint64_t hash) {
  Segment& s = segment();
  for (uint64_t i = hash;; ++i) {
    uint32_t& place = s.file_name_table[i % kFileNameTableSize];
    if (place == 0) return place;
    const FileNameRecord& record = s.file_names[place - 1];
    if (record.hash == hash && strcmp(file_text(record.path), path) == 0) return place;
  }
}

FileNameRecord* find_record(const char* path) {
  const uint32_t place = place_of(path, hash_of(path));
  return place == 0 ? nullptr : &segment().file_names[place - 1];
}

FileNameRecord* find_changed(const char* path) {
  FileNameRecord* const record = find_record(path);
  return record != nullptr && record->is_changed ? record : nullptr;
}

// Where the kernel has what is at this path. Empty: nowhere, the program has removed or made what
// is above it.
void find_real(const char* path, char (&real)[PATH_MAX]) {
  char above[PATH_MAX];
  strcpy(above, path);
  while (above[1] != '\0') {
    to_parent(above);
    const FileNameRecord* const changed = find_changed(above);
    if (changed == nullptr) continue;
    const uint32_t text = changed->file == 0 ? 0 : private_file(changed->file).text;
    const char* const rest = path + (above[1] == '\0' ? 0 : strlen(above));
    real[0] = '\0';
    if (text != 0) snprintf(real, sizeof real, "%s%s", file_text(text), rest);
    return;
  }
  strcpy(real, path);
}

// What the model knows of a name is what is there.
void settle(const FileNameRecord& record) {
  static FileLook look;
  const char* const path = file_text(record.path);
  look_at(path, look);
  FileName& name = world().object(record.object).file_name;
  const bool has_data = look.exists && S_ISREG(look.status.st_mode);
  const ObjectId target = has_data ? data_object(look.status, last_component(path)) : kNoObject;
  if (name.exists == look.exists && name.target == target) return;
  name.exists = look.exists;
  name.target = target;
  if (!is_told(record.object)) return;
  world().touch(record.object);
  if (target != kNoObject) tell(target);
}

// It was made just now, or it is known already.
ObjectId without_telling(ObjectId object) {
  World& w = world();
  if (!is_told(object) && w.touched_count > 0 && w.touched[w.touched_count - 1] == object)
    --w.touched_count;
  return object;
}

// Where a directory of the kernel's has got another name, that one.
void to_present_name(char (&path)[PATH_MAX]) {
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.file_name_count; ++i) {
    const FileNameRecord& record = s.file_names[i];
    if (!record.is_changed || record.file == 0) continue;
    const PrivateFile& file = private_file(record.file);
    if (file.kind != PrivateFile::Kind::Directory || file.text == 0 ||
        !is_within(path, file_text(file.text)))
      continue;
    char rest[PATH_MAX];
    strcpy(rest, path + strlen(file_text(file.text)));
    snprintf(path, sizeof path, "%s%s", file_text(record.path), rest);
    return;
  }
}

}  // namespace

uint32_t keep_file_text(const char* text) {
  Segment& s = segment();
  const size_t length = strlen(text) + 1;
  if (s.file_text_count == 0) s.file_text_count = 1;  // 0 stands for none
  if (length > kMaxFileText - s.file_text_count)
    limit_reached("the program uses more names of files than one execution has room for");
  const uint32_t place = s.file_text_count;
  memcpy(s.file_text + place, text, length);
  s.file_text_count += static_cast<uint32_t>(length);
  return place;
}

const char* last_component(const char* path) { return strrchr(path, '/') + 1; }

void to_parent(char* path) {
  char* const slash = strrchr(path, '/');
  slash[slash == path ? 1 : 0] = '\0';
}

FileNameRecord& name_record(const char* path) {
  if (FileNameRecord* const known = find_record(path)) return *known;
  Segment& s = segment();
  if (s.file_name_count == kMaxFileNames)
    limit_reached("the program uses more than 16384 names of files");
  const uint64_t hash = hash_of(path);
  const char* const text = path[1] == '\0' ? "/" : last_component(path);
  const ObjectId object =
      without_telling(object_by_name(text, hash, ObjectKind::FileName, Storage::Name));
  FileNameRecord& record = s.file_names[s.file_name_count++];
  record = {hash, keep_file_text(path), object, 0, 0};
  place_of(path, hash) = s.file_name_count;
  settle(record);
  return record;
}

void set_name(const char* path, uint32_t file) {
  FileNameRecord& record = name_record(path);
  record.file = file;
  record.is_changed = 1;
  if (file != 0 && private_file(file).name == 0) private_file(file).name = record.path;
  settle(record);
}

void tell(ObjectId object) {
  if (is_told(object)) return;
  segment().told_names[index(object)] = 1;
  world().touch(object);
  const Object& told = world().object(object);
  if (told.kind == ObjectKind::FileName && told.file_name.target != kNoObject)
    tell(told.file_name.target);
}

bool is_told(ObjectId object) { return segment().told_names[index(object)] != 0; }

void settle_name(const char* path) { settle(name_record(path)); }

ObjectId data_object(const struct stat& status, const char* name) {
  const uint64_t hash = (status.st_ino * 0x9e3779b97f4a7c15) ^ (status.st_dev << 8) ^
                        static_cast<uint64_t>(ObjectKind::FileData);
  return without_telling(object_by_hash(hash, name, ObjectKind::FileData));
}

bool is_in_use(const char* directory) {
  const Segment& s = segment();
  if (world().alone(current_thread())) return false;
  for (uint32_t i = 0; i < s.directory_count; ++i) {
    const bool is_open = world().object(s.directories[i].description).description.holder_count > 0;
    if (is_open && is_within(file_text(s.directories[i].path), directory)) return true;
  }
  for (uint32_t i = 0; i < s.world.thread_limit; ++i) {
    if (!s.processes[i].alive) continue;
    char link[48];
    char path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%d/cwd", s.processes[i].real_pid);
    const long length =
        raw_syscall(SYS_readlink, address_of(link), address_of(path), sizeof path - 1);
    path[raw_failed(length) ? 0 : length] = '\0';
    const char* const working =
        s.processes[i].directory != 0 ? file_text(s.processes[i].directory) : path;
    if (is_within(working, directory)) return true;
  }
  return false;
}

void move_names(const char* from, const char* to) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.file_name_count; ++i) {
    FileNameRecord& record = s.file_names[i];
    if (!is_within(file_text(record.path), to) || strcmp(file_text(record.path), to) == 0) continue;
    record.file = record.is_changed = 0;
  }
  const uint32_t count = s.file_name_count;
  for (uint32_t i = 0; i < count; ++i) {
    const char* const path = file_text(s.file_names[i].path);
    if (!is_within(path, from) || strcmp(path, from) == 0 || !s.file_names[i].is_changed) continue;
    char moved[PATH_MAX];
    snprintf(moved, sizeof moved, "%s%s", to, path + strlen(from));
    const uint32_t file = s.file_names[i].file;
    set_name(moved, file);
    s.file_names[i].file = 0;
  }
  for (uint32_t i = 0; i < s.file_name_count; ++i) {
    FileNameRecord& record = s.file_names[i];
    if (is_within(file_text(record.path), from) || is_within(file_text(record.path), to))
      settle(record);
  }
  const auto move_text = [&](uint32_t& text) {
    if (text == 0 || !is_within(file_text(text), from)) return;
    char moved[PATH_MAX];
    snprintf(moved, sizeof moved, "%s%s", to, file_text(text) + strlen(from));
    text = keep_file_text(moved);
  };
  for (uint32_t i = 0; i < s.directory_count; ++i) move_text(s.directories[i].path);
  for (uint32_t i = 0; i < s.world.thread_limit; ++i) move_text(s.processes[i].directory);
}

void look_at(const char* path, FileLook& out) {
  out.exists = false;
  out.file = 0;
  out.real[0] = '\0';
  if (const FileNameRecord* const changed = find_changed(path)) {
    if (changed->file == 0) return;
    out.exists = true;
    out.file = changed->file;
    show_status(out.file, out.status);
    const PrivateFile& file = private_file(out.file);
    if (file.kind == PrivateFile::Kind::Directory && file.text != 0)
      strcpy(out.real, file_text(file.text));
    return;
  }
  find_real(path, out.real);
  if (out.real[0] == '\0') return;
  const long result = raw_syscall(SYS_newfstatat, AT_FDCWD, address_of(out.real),
                                  address_of(&out.status), AT_SYMLINK_NOFOLLOW);
  out.exists = !raw_failed(result);
  if (!out.exists || !S_ISREG(out.status.st_mode)) return;
  out.file = copy_of(out.status.st_dev, out.status.st_ino);
  if (out.file != 0) show_status(out.file, out.status);
}

int directory_path(int fd, char (&path)[PATH_MAX]) {
  const ProcessSlot& slot = process_slot(current_process());
  if (fd == AT_FDCWD && slot.directory != 0) return strcpy(path, file_text(slot.directory)), 0;
  if (const OpenedDirectory* const directory = fd == AT_FDCWD ? nullptr : opened_directory(fd)) {
    return strcpy(path, file_text(directory->path)), 0;
  }
  char link[48];
  snprintf(link, sizeof link, fd == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", fd);
  const long length =
      raw_syscall(SYS_readlink, address_of(link), address_of(path), sizeof path - 1);
  if (raw_failed(length)) return fd == AT_FDCWD ? static_cast<int>(-length) : EBADF;
  path[length] = '\0';
  if (path[0] != '/') return ENOTDIR;
  to_present_name(path);
  return 0;
}

OpenedDirectory* opened_directory(int fd) {
  Segment& s = segment();
  const ObjectId description = any_description_of(fd);
  if (description == kNoObject) return nullptr;
  for (uint32_t i = 0; i < s.directory_count; ++i) {
    if (s.directories[i].description == description) return &s.directories[i];
  }
  return nullptr;
}

void forget_directory(ObjectId description) {
  Segment& s = segment();
  for (uint32_t i = 0; i < s.directory_count; ++i) {
    if (s.directories[i].description == description)
      s.directories[i--] = s.directories[--s.directory_count];
  }
}

void remember_directory(ObjectId description, const char* path) {
  Segment& s = segment();
  if (s.directory_count == kMaxOpenedDirectories)
    limit_reached("the program opens more than 1024 directories");
  s.directories[s.directory_count++] = {description, keep_file_text(path), 0};
}

}  // namespace mazurka
