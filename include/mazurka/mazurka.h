/* What a program may say to Mazurka. For C (C89 and later) and C++, gcc and clang.
 *
 * A program that includes this header needs no library: it builds, links and runs without Mazurka,
 * too. Under `mazurka check` the preloaded runtime answers the calls.
 */
#ifndef MAZURKA_MAZURKA_H
#define MAZURKA_MAZURKA_H

#include <stdio.h>
#if !defined(__PIC__) && !defined(__PIE__) && defined(__linux__)
#include <dlfcn.h>
#endif

/* int mz_toss(int n): a choice that the environment makes. Returns a number from 0 to n, both
 * included; a search tries each of them. Requires 0 <= n <= 65534. Without Mazurka the result is
 * always 0.
 */
#define mz_toss(n) (mazurka_tosser() != 0 ? mazurka_tosser()(n) : mazurka_toss_alone(n))

/* void mz_assert(condition): what must hold whenever the program gets here. Like assert, but not
 * switched off by NDEBUG. A violation is a finding; without Mazurka it prints the condition and
 * aborts.
 */
#ifdef __cplusplus
#define mz_assert(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : MAZURKA_FAIL(#condition))
#else
#define mz_assert(condition) ((condition) ? (void)0 : MAZURKA_FAIL(#condition))
#endif

/* void mz_event(const char* name): something that a tester (mazurka check --tester) can see
 * happens. The name has 1 to 255 bytes. Without Mazurka nothing happens.
 */
#define mz_event(name) \
  (mazurka_eventer() != 0 ? mazurka_eventer()(name) : mazurka_event_alone(name))

/* mz_method(), mz_atomic(), mz_commuting(): as a statement anywhere in a function, that its calls
 * are single operations as far as memory goes: see docs/races.md on annotations, which say the same
 * in a file. Nothing happens when the program runs, with or without Mazurka.
 */
#define mz_method() MAZURKA_MARK("method")
#define mz_atomic() MAZURKA_MARK("atomic")
#define mz_commuting() MAZURKA_MARK("commuting")

/* --- how it works: no part of the interface
 *
 * The calls stand in the macros, and not in functions of this header, so that the place of a call
 * is the program's own line.
 *
 * Weak references: null unless the runtime is there. A linker settles them as null for good if the
 * code is not position-independent; such code has to look the functions up when it runs.
 */
#define MAZURKA_FAIL(text)                                                                  \
  ((mazurka_failer() != 0                                                                   \
        ? mazurka_failer()(text, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__)     \
        : mazurka_fail_alone(text, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__)), \
   __builtin_abort())
/* Marks: a section for each word lists places in the code. It belongs to the section of the
 * function, and goes where that goes. The nop is what debug information says belongs to the
 * function, and not to another one that is inlined right behind it.
 */
#if defined(__x86_64__) && defined(__ELF__)
#define MAZURKA_MARK(word)                                       \
  __asm__ __volatile__("9181: nop\n\t.pushsection mazurka_" word \
                       ",\"aR?\",@progbits\n\t"                  \
                       ".balign 8\n\t.quad 9181b - .\n\t.popsection")
#else
#define MAZURKA_MARK(word) ((void)0)
#endif
#define MAZURKA_PRIVATE static __inline__ __attribute__((unused))

#ifdef __cplusplus
extern "C" {
#endif

typedef int (*mazurka_toss_function)(int);
typedef void (*mazurka_event_function)(const char*);
typedef void (*mazurka_fail_function)(const char*, const char*, unsigned, const char*);

extern int mazurka_rt_toss(int n) __attribute__((weak));
extern void mazurka_rt_event(const char* name) __attribute__((weak));
extern void mazurka_rt_assertion_failed(const char* expression, const char* file, unsigned line,
                                        const char* function) __attribute__((weak));

#if !defined(__PIC__) && !defined(__PIE__) && defined(__linux__)
MAZURKA_PRIVATE mazurka_toss_function mazurka_tosser(void) {
  mazurka_toss_function found = 0;
  *(void**)&found = dlsym((void*)0, "mazurka_rt_toss");
  return found;
}

MAZURKA_PRIVATE mazurka_event_function mazurka_eventer(void) {
  mazurka_event_function found = 0;
  *(void**)&found = dlsym((void*)0, "mazurka_rt_event");
  return found;
}

MAZURKA_PRIVATE mazurka_fail_function mazurka_failer(void) {
  mazurka_fail_function found = 0;
  *(void**)&found = dlsym((void*)0, "mazurka_rt_assertion_failed");
  return found;
}
#else
MAZURKA_PRIVATE mazurka_toss_function mazurka_tosser(void) { return mazurka_rt_toss; }
MAZURKA_PRIVATE mazurka_event_function mazurka_eventer(void) { return mazurka_rt_event; }
MAZURKA_PRIVATE mazurka_fail_function mazurka_failer(void) { return mazurka_rt_assertion_failed; }
#endif

MAZURKA_PRIVATE int mazurka_toss_alone(int n) {
  (void)n;
  return 0;
}

MAZURKA_PRIVATE void mazurka_event_alone(const char* name) { (void)name; }

MAZURKA_PRIVATE void mazurka_fail_alone(const char* expression, const char* file, unsigned line,
                                        const char* function) {
  fprintf(stderr, "%s:%u: %s: assertion `%s' failed\n", file, line, function, expression);
}

#ifdef __cplusplus
}
#endif

#endif
