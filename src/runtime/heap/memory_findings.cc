// What the allocator found wrong, as a finding: the thread stands before an operation that ends its
// process, as glibc would end it, with a text that says which block it was. The tool puts names in
// place of the marks in it: {t2} is a thread by its id, {p 401136 4011a0} a call by its return
// addresses.
#include <signal.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "objects/bad_memory.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/heap/allocator.h"
#include "runtime/heap/heap_history.h"
#include "runtime/reset/server.h"

namespace mazurka {
namespace {

struct Text {
  char bytes[1536];
  size_t length;

  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int wanted = vsnprintf(bytes + length, sizeof bytes - length, format, arguments);
    va_end(arguments);
    const size_t room = sizeof bytes - 1 - length;
    length += static_cast<size_t>(wanted) < room ? static_cast<size_t>(wanted) : room;
  }

  void add_call(const char* before, const CallStack& call) {
    if (call.frames[0] == 0) return;
    add("%s{p", before);
    for (int i = 0; i < kHistoryFrames && call.frames[i] != 0; ++i) add(" %lx", call.frames[i]);
    add("}");
  }
};

ThreadId thread_with_slot(uint32_t slot) {
  const Names& names = segment().names;
  for (uint32_t i = 0; i < names.thread_count; ++i) {
    if (names.threads[i].slot == slot) return ThreadId(i);
  }
  return kNoThread;
}

void add_block(Text& text, const HeapPlace& place, const void* begin) {
  const ThreadId owner = thread_with_slot(place.slot);
  text.add("block %u", place.count);
  if (owner != kNoThread) text.add(" of {t%u}", static_cast<unsigned>(index(owner)));
  text.add(", %lu byte%s", place.size, place.size == 1 ? "" : "s");
  const BlockHistory* history = history_of(begin);
  if (history == nullptr) return;
  text.add_call(", allocated at ", history->allocated);
  if (history->freed_by == kNoThread) return;
  text.add(", freed by {t%u}", static_cast<unsigned>(index(history->freed_by)));
  text.add_call(" at ", history->freed);
}

bool add_stack(Text& text, const char* address) {
  for (uint32_t i = 0; i < world().thread_limit; ++i) {
    const Context& thread = state.contexts[i];
    if (thread.stack_low == nullptr || address < thread.stack_low ||
        address >= thread.stack_low + thread.stack_size)
      continue;
    text.add("an address on the stack of {t%u}", i);
    return true;
  }
  return false;
}

void add_place(Text& text, const char* address) {
  HeapPlace place;
  if (!allocator_describe(address, &place)) {
    if (!add_stack(text, address)) text.add("%p", static_cast<const void*>(address));
    return;
  }
  if (place.offset != 0) text.add("%lu byte%s into ", place.offset, place.offset == 1 ? "" : "s");
  add_block(text, place, address - place.offset);
}

}  // namespace

void allocator_report(const char* what, void* address, const void* caller) {
  if (!attached()) {
    raw_syscall(SYS_write, 2, address_of(what), static_cast<long>(strlen(what)));
    raw_syscall(SYS_kill, raw_syscall(SYS_getpid), SIGABRT);
    return;
  }
  begin_executions();
  Text text{};
  text.add("%s: ", what);
  add_place(text, static_cast<const char*>(address));
  if (caller == nullptr) text.add(", seen at the end of the process");
  void* nowhere = nullptr;  // no stack, then: what the process does at its end says nothing
  reach({.kind = OpKind::Crash, .value = SIGABRT | kBadMemory},
        {.pc = reinterpret_cast<uint64_t>(caller),
         .text = text.bytes,
         .frames = caller == nullptr ? &nowhere : nullptr});
  vanish();
}

}  // namespace mazurka
