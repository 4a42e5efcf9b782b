// Functions on streams.
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <wchar.h>

#include "runtime/libc/seen_calls.h"

namespace mazurka {
namespace {

#define MAZURKA_SEEN MAZURKA_SEEN_FUNCTION
#define MAZURKA_SEEN_VOID MAZURKA_SEEN_VOID_FUNCTION
#include "runtime/libc/stream_rows.inc"
#undef MAZURKA_SEEN
#undef MAZURKA_SEEN_VOID

#define MAZURKA_SEEN(type, name, parameters, arguments, before, after) \
  MAZURKA_SEEN_ENTRY(name, name)
#define MAZURKA_SEEN_VOID(name, parameters, arguments, before, after) MAZURKA_SEEN_ENTRY(name, name)
const SeenCall kStreamCalls[] = {
#include "runtime/libc/stream_rows.inc"
};

}  // namespace

SeenCalls seen_stream_calls() { return {kStreamCalls, sizeof kStreamCalls / sizeof *kStreamCalls}; }

}  // namespace mazurka
