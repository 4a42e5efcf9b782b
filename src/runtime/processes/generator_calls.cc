// rand, random, drand48 and their kin: libc keeps one sequence for all threads of a process. Where
// others could draw as well, a draw is an operation (kinds/processes/generator.h); the number is
// libc's own.
#include <stdlib.h>

#include "runtime/accesses/visible_accesses.h"
#include "runtime/core/raw.h"
#include "runtime/core/runtime.h"

namespace mazurka {
namespace {

enum class Family : uint8_t { Random, Rand48 };

// A sequence that no number names.
constexpr int64_t kBroughtAlong = -1;

ObjectId generator_of(Family family) {
  const char* const name = family == Family::Random ? "rand()" : "drand48()";
  return object_by_name(name, index(current_process()), ObjectKind::Generator, Storage::Name);
}

void draw(Family family, Call call) {
  if (!may_interleave()) return;
  reach({.kind = OpKind::GeneratorDraw, .object = generator_of(family)}, call);
}

// erand48, nrand48 and jrand48 have a number of the caller's own, and take the factor of all
// threads. It is always the same until lcong48 sets one; srand48 and seed48 set the usual one
// again.
bool has_own_factor;
void name_factor(bool is_own, Call call) {
  if ((is_own || has_own_factor) && may_interleave())
    name_unmodelled("lcong48, for erand48 and its kin in other threads", call);
  has_own_factor = has_own_factor || is_own;
}

void seed(Family family, int64_t value, Call call) {
  if (!may_interleave()) return;
  reach({.kind = OpKind::GeneratorSeed, .object = generator_of(family), .value = value}, call);
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

// NOLINTBEGIN(bugprone-macro-parentheses): types and names
#define MAZURKA_DRAWING(result, name, family) \
  MAZURKA_EXPORT result name() noexcept {     \
    draw(Family::family, MAZURKA_HERE);       \
    return REAL(name)();                      \
  }
// NOLINTEND(bugprone-macro-parentheses)

MAZURKA_DRAWING(int, rand, Random)
MAZURKA_DRAWING(long, random, Random)
MAZURKA_DRAWING(double, drand48, Rand48)
MAZURKA_DRAWING(long, lrand48, Rand48)
MAZURKA_DRAWING(long, mrand48, Rand48)

MAZURKA_EXPORT void srand(unsigned value) noexcept {
  seed(Family::Random, value, MAZURKA_HERE);
  REAL(srand)(value);
}
MAZURKA_EXPORT void srandom(unsigned value) noexcept {
  seed(Family::Random, value, MAZURKA_HERE);
  REAL(srandom)(value);
}
MAZURKA_EXPORT char* initstate(unsigned value, char* state, size_t size) noexcept {
  seed(Family::Random, value, MAZURKA_HERE);
  return REAL(initstate)(value, state, size);
}
MAZURKA_EXPORT char* setstate(char* state) noexcept {
  seed(Family::Random, kBroughtAlong, MAZURKA_HERE);
  return REAL(setstate)(state);
}
MAZURKA_EXPORT void srand48(long value) noexcept {
  if (attached()) name_factor(false, MAZURKA_HERE);
  seed(Family::Rand48, value, MAZURKA_HERE);
  REAL(srand48)(value);
}
MAZURKA_EXPORT unsigned short* seed48(unsigned short value[3]) noexcept {
  if (attached()) name_factor(false, MAZURKA_HERE);
  seed(Family::Rand48, kBroughtAlong, MAZURKA_HERE);
  return REAL(seed48)(value);
}
MAZURKA_EXPORT void lcong48(unsigned short value[7]) noexcept {
  if (attached()) name_factor(true, MAZURKA_HERE);
  seed(Family::Rand48, kBroughtAlong, MAZURKA_HERE);
  REAL(lcong48)(value);
}
