#include "runtime/libc/seen_calls.h"

#include "runtime/accesses/race_shadow.h"
#include "runtime/accesses/visible_accesses.h"
#include "runtime/libc/imports.h"

namespace mazurka {

char strtok_state[8];
char locale_state[8];
char random48_state[8];
char user_database_state[8];
char host_database_state[8];

void* place_behind;

void SeenAccesses::has_written(volatile void* to, size_t size) const {
  if (!is_place(to) || size == 0) return;
  if (accesses_are_visible) return name_unknown_accesses(name_, caller_);
  writes(to, size);
}

// The first bytes are its flags, which no macro of the headers changes.
void SeenAccesses::uses(const void* stream) const {
  if (!accesses_are_visible) reads(stream, sizeof(int));
}

void SeenAccesses::ends(void* stream) const {
  if (!accesses_are_visible) writes(stream, sizeof(int));
}

void SeenAccesses::calls() const { place_behind = caller_; }

Arrival::Arrival(void* to, size_t most) : to_(static_cast<char*>(to)), use_(to_) {
  if (accesses_are_visible && most <= sizeof here_ && is_place(to)) use_ = here_;
}

void Arrival::came(size_t size, const SeenAccesses& at) const {
  if (use_ == to_) return at.has_written(to_, size);
  at.writes(to_, size);
  memcpy(to_, here_, size);
}

}  // namespace mazurka
