// mkstemp and its relatives. Libc takes names from the clock and the addresses of the moment, which
// no schedule repeats: here they come from the thread's own random numbers.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "runtime/core/random_calls.h"
#include "runtime/files/files.h"
#include "runtime/files/private_files.h"
#include "runtime/reset/kernel_effects.h"
#include "runtime/syscalls/watched_calls.h"

namespace mazurka {
namespace {

constexpr size_t kPlaces = 6;       // XXXXXX
constexpr int kMostTries = 238328;  // as libc

// Where they begin, or null: the template has none before its last `suffix` characters.
char* places_of(char* path, int suffix) {
  const size_t length = strlen(path);
  if (suffix < 0 || length < kPlaces + static_cast<size_t>(suffix)) return nullptr;
  char* const places = path + length - static_cast<size_t>(suffix) - kPlaces;
  return memcmp(places, "XXXXXX", kPlaces) == 0 ? places : nullptr;
}

void fill_places(char* places) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr uint64_t kCount = sizeof kLetters - 1;
  uint64_t number = draw_random();
  for (size_t i = 0; i < kPlaces; ++i, number /= kCount) places[i] = kLetters[number % kCount];
}

// Calls make() for names until one is new. -1 with errno, as `make` has it.
template <typename Make>
int try_names(char* path, int suffix, Make make) {
  char* const places = places_of(path, suffix);
  if (places == nullptr) {
    errno = EINVAL;
    return -1;
  }
  const int kept_errno = errno;
  for (int i = 0; i < kMostTries; ++i) {
    fill_places(places);
    const int result = make();
    if (result >= 0) errno = kept_errno;
    if (result >= 0 || errno != EEXIST) return result;
  }
  return -1;
}

int make_file(char* path, int suffix, int flags, Call call) {
  const int how = (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL;
  return try_names(path, suffix,
                   [&] { return open_file(AT_FDCWD, path, how, S_IRUSR | S_IWUSR, call); });
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

// NOLINTBEGIN(bugprone-macro-parentheses): lists that have their own
#define MAZURKA_TEMPORARY(name, parameters, arguments, suffix, flags) \
  MAZURKA_EXPORT int name parameters {                                \
    if (!attached()) return REAL(name) arguments;                     \
    return make_file(path, suffix, flags, MAZURKA_HERE);              \
  }
// NOLINTEND(bugprone-macro-parentheses)
MAZURKA_TEMPORARY(mkstemp, (char* path), (path), 0, 0)
MAZURKA_TEMPORARY(mkstemp64, (char* path), (path), 0, 0)
MAZURKA_TEMPORARY(mkostemp, (char* path, int flags), (path, flags), 0, flags)
MAZURKA_TEMPORARY(mkostemp64, (char* path, int flags), (path, flags), 0, flags)
MAZURKA_TEMPORARY(mkstemps, (char* path, int length), (path, length), length, 0)
MAZURKA_TEMPORARY(mkstemps64, (char* path, int length), (path, length), length, 0)
MAZURKA_TEMPORARY(mkostemps, (char* path, int length, int flags), (path, length, flags), length,
                  flags)
MAZURKA_TEMPORARY(mkostemps64, (char* path, int length, int flags), (path, length, flags), length,
                  flags)

MAZURKA_EXPORT char* mkdtemp(char* path) {
  if (!attached()) return REAL(mkdtemp)(path);
  need_private_files(MAZURKA_LASTING("mkdtemp"), MAZURKA_HERE);
  return try_names(path, 0, [&] { return mkdir(path, S_IRWXU); }) < 0 ? nullptr : path;
}
