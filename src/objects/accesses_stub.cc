#include "objects/accesses.h"
namespace mazurka {
__attribute__((weak)) void AccessList::add(Resource r, Mode m) { if (count < capacity) items[count++] = {r, m, {}}; else overflow = true; }
__attribute__((weak)) void accesses(const World&, ThreadId, const Operation&, Outcome, AccessList& o) { o.overflow = true; }
__attribute__((weak)) void possible_accesses(const World&, ThreadId, const Operation&, AccessList& o) { o.overflow = true; }
__attribute__((weak)) bool conflict(const Access*, uint32_t, const Access*, uint32_t) { return true; }
__attribute__((weak)) bool commute_here(const World&, ThreadId, const Operation&, Outcome, ThreadId, const Operation&, Outcome) { return false; }
}
