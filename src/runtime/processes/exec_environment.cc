#include "runtime/processes/exec_environment.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstring>

#include "runtime/core/raw.h"
#include "runtime/core/runtime.h"
#include "runtime/processes/process.h"

namespace mazurka {
namespace {

constexpr char kPreload[] = "LD_PRELOAD";
constexpr char kTunables[] = "GLIBC_TUNABLES";
constexpr char kNoRseq[] = "glibc.pthread.rseq=0";
// What the user had in a variable that we need: the next image puts it back.
constexpr char kUserPreload[] = "MAZURKA_USER_LD_PRELOAD";
constexpr char kUserTunables[] = "MAZURKA_USER_GLIBC_TUNABLES";
constexpr char kLibraryPath[] = "LD_LIBRARY_PATH";
constexpr char kUserLibraryPath[] = "MAZURKA_USER_LD_LIBRARY_PATH";
constexpr char kTsanFolder[] =
    "tsan";  // beside us: an image that was linked with ThreadSanitizer gets us in its place
constexpr const char* kOurs[] = {kPreload,         kTunables,       kUserPreload,
                                 kUserTunables,    kLibraryPath,    kUserLibraryPath,
                                 kSegmentVariable, kProcessVariable};
constexpr size_t kOurCount = sizeof kOurs / sizeof kOurs[0];

// The value if the variable has that name.
const char* value_of(const char* variable, const char* name) {
  const size_t length = strlen(name);
  return strncmp(variable, name, length) == 0 && variable[length] == '=' ? variable + length + 1
                                                                         : nullptr;
}

bool is_ours(const char* variable) {
  for (const char* name : kOurs) {
    if (value_of(variable, name) != nullptr) return true;
  }
  return false;
}

const char* find(char* const* given, const char* name) {
  for (; *given != nullptr; ++given) {
    const char* value = value_of(*given, name);
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

const char* own_path() {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(&own_path), &info) != 0 ? info.dli_fname : "";
}

char* put_number(char* to, unsigned number) {
  if (number >= 10) to = put_number(to, number / 10);
  *to = static_cast<char>('0' + number % 10);
  return to + 1;
}

size_t length_of(const char* text) { return text == nullptr ? 0 : strlen(text); }

}  // namespace

ExecEnvironment::ExecEnvironment(char* const* given) {
  char* const nothing[] = {nullptr};
  if (given == nullptr) given = nothing;
  size_t number = 0;
  while (given[number] != nullptr) ++number;
  const char* const preload = find(given, kPreload);
  const char* const tunables = find(given, kTunables);
  const char* const library_path = find(given, kLibraryPath);
  const char* const library = own_path();
  constexpr size_t kRoom = 512;  // names, separators, ids, the path of the segment
  size_ = (number + kOurCount + 1) * sizeof(char*) + 2 * length_of(library) +
          length_of(segment_path()) + 2 * length_of(preload) + 2 * length_of(tunables) +
          2 * length_of(library_path) + kRoom;
  const long mapped = raw_syscall(SYS_mmap, 0, static_cast<long>(size_), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw_failed(mapped)) return;
  mapping_ = reinterpret_cast<void*>(mapped);
  variables_ = static_cast<char**>(mapping_);
  text_ = reinterpret_cast<char*>(variables_ + number + kOurCount + 1);

  for (; *given != nullptr; ++given) {
    if (!is_ours(*given)) variables_[count_++] = *given;
  }
  add(kPreload, library, ':', preload);
  add(kTunables, tunables, ':', kNoRseq);
  add_library_path(library, library_path);
  if (preload != nullptr) add(kUserPreload, preload, '\0', nullptr);
  if (tunables != nullptr) add(kUserTunables, tunables, '\0', nullptr);
  if (library_path != nullptr) add(kUserLibraryPath, library_path, '\0', nullptr);
  add(kSegmentVariable, segment_path(), '\0', nullptr);
  char ids[16];
  char* end = put_number(ids, index(current_process()));
  *end++ = ':';
  *put_number(end, index(current_thread())) = '\0';
  add(kProcessVariable, ids, '\0', nullptr);
}

ExecEnvironment::~ExecEnvironment() {
  if (mapping_ != nullptr) raw_syscall(SYS_munmap, address_of(mapping_), static_cast<long>(size_));
}

void ExecEnvironment::add_library_path(const char* library, const char* users) {
  const char* const slash = strrchr(library, '/');
  add(kLibraryPath, library, ':', nullptr);
  // In place of the file's name, and of the end of the text.
  text_ -= slash == nullptr ? length_of(library) + 1 : length_of(slash + 1) + 1;
  text_ = stpcpy(text_, kTsanFolder);
  if (users != nullptr) {
    *text_++ = ':';
    text_ = stpcpy(text_, users);
  }
  ++text_;
}

void ExecEnvironment::add(const char* name, const char* first, char separator, const char* second) {
  variables_[count_++] = text_;
  text_ = stpcpy(text_, name);
  *text_++ = '=';
  if (first != nullptr) text_ = stpcpy(text_, first);
  if (first != nullptr && second != nullptr) *text_++ = separator;
  if (second != nullptr) text_ = stpcpy(text_, second);
  ++text_;
}

}  // namespace mazurka
