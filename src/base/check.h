// MAZURKA_CHECK: what must hold whatever the user's program does. A failure is a bug of ours, so it
// stops the process in every build type. The runtime uses it too, so: no iostream, no exceptions,
// no allocation.
#pragma once

namespace mazurka {

// Writes "file:line: check failed: condition" to standard error and aborts. Uses write and abort
// only, so it may be called from a signal handler and with a broken heap.
[[noreturn]] void check_failed(const char* file, int line, const char* condition);

}  // namespace mazurka

#define MAZURKA_CHECK(...)                                                                         \
  (__builtin_expect(!(__VA_ARGS__), 0) ? ::mazurka::check_failed(__FILE__, __LINE__, #__VA_ARGS__) \
                                       : static_cast<void>(0))

// The same where a check would cost too much time: only in builds without NDEBUG. The condition
// must compile in all of them, and is not evaluated in the others.
#ifdef NDEBUG
#define MAZURKA_DEBUG_CHECK(...) static_cast<void>(sizeof((__VA_ARGS__) ? 1 : 0))
#else
#define MAZURKA_DEBUG_CHECK(...) MAZURKA_CHECK(__VA_ARGS__)
#endif
