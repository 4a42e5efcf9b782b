#include "runtime/sockets/address_files.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/sockets/sockets.h"

namespace mazurka {
namespace {

// Bits of Control::names_used. They stay for all executions: a program that does both at any time
// does so in some order.
constexpr uint8_t kMadeAddress = 1;
constexpr uint8_t kMissedName = 2;  // while others could have made it

constexpr char kLooks[] = "a look at a FIFO or socket that the program makes";
constexpr uint64_t kFirstInode = uint64_t{1} << 48;

bool is_entry_of(const char* path, const char* directory) {
  if (!is_within(path, directory)) return false;
  const char* const entry = path + (directory[1] == '\0' ? 0 : strlen(directory));
  return entry[0] == '/' && strchr(entry + 1, '/') == nullptr;
}

void set(uint8_t bit) { segment().control.names_used |= bit; }
bool is_set(uint8_t bit) { return (segment().control.names_used & bit) != 0; }

}  // namespace

void note_made_address(Call call) {
  if (!state.scheduling) return;
  set(kMadeAddress);
  if (uses_private_files()) return;
  if (is_set(kMissedName)) need_private_files(kLooks, call);
}

void note_missing(int directory, const char* path, Call call) {
  if (!state.scheduling || uses_private_files() || path == nullptr ||
      (directory != AT_FDCWD && path[0] != '/'))
    return;
  const int error = errno;
  const bool is_alone = world().alone(current_thread());
  if (!is_alone) set(kMissedName);
  if (is_set(kMadeAddress) && (!is_alone || may_have_name(path))) need_private_files(kLooks, call);
  errno = error;
}

void note_opened_directory(Call call) {
  if (!state.scheduling || uses_private_files()) return;
  if (!world().alone(current_thread())) set(kMissedName);
  if (is_set(kMadeAddress)) need_private_files(kLooks, call);
}

// Also those that somebody has made elsewhen: lists are not ordered with that.
void note_list(const char* directory, Call call) {
  if (!is_set(kMadeAddress)) return;
  const Segment& s = segment();
  for (uint32_t i = 0; i < s.names.object_count; ++i) {
    const ObjectPlace& place = s.names.places[i];
    if (place.storage != Storage::Name || !is_entry_of(s.kept_text + place.text, directory))
      continue;
    return name_unmodelled("a list of a directory with FIFOs or sockets that the program has made",
                           call);
  }
}

bool may_be_address(const char* path) { return has_private_addresses() && may_have_name(path); }

bool look_at_address(const char* path, int64_t value, uint32_t& mode, Call call) {
  if (!may_be_address(path)) return false;
  const Effect effect =
      reach({.kind = OpKind::AddressLook, .object = address_of_path(path), .value = value}, call);
  mode = static_cast<uint32_t>(effect.value);
  return effect.error == 0;
}

void show_address(const char* path, uint32_t mode, FileLook& out) {
  out.exists = out.is_address = mode != 0;
  out.file = 0;
  out.real[0] = '\0';
  out.status = {};
  if (mode == 0) return;
  out.status.st_mode = mode;
  out.status.st_nlink = 1;
  out.status.st_uid = static_cast<uid_t>(raw_syscall(SYS_geteuid));
  out.status.st_gid = static_cast<gid_t>(raw_syscall(SYS_getegid));
  out.status.st_ino = kFirstInode + index(address_of_path(path));
  out.status.st_blksize = 4096;
}

}  // namespace mazurka
