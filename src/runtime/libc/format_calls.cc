// printf, scanf and their families.
#include <err.h>
#include <stdio.h>
#include <syslog.h>
#include <wchar.h>

#include "runtime/libc/formats.h"
#include "runtime/libc/imports.h"

namespace mazurka {
namespace {

// What libc offers for a list of arguments does the same as what it offers for the arguments
// themselves; the second is found by the first one's name where only that is imported.
#define MAZURKA_PRINTS(name, list_name, parameters, arguments, prepare)              \
  int(*real_##list_name) MAZURKA_WITH(parameters, va_list);                          \
  MAZURKA_SEEN_SECTION int seen_##list_name MAZURKA_WITH(parameters, va_list list) { \
    const SeenAccesses at(#list_name, __builtin_return_address(0));                  \
    reads_printed(format, list, at);                                                 \
    prepare;                                                                         \
    at.calls();                                                                      \
    return real_##list_name MAZURKA_WITH(arguments, list);                           \
  }                                                                                  \
  void* real_##name;                                                                 \
  MAZURKA_SEEN_SECTION int seen_##name MAZURKA_WITH(parameters, ...) {               \
    const SeenAccesses at(#name, __builtin_return_address(0));                       \
    va_list list;                                                                    \
    va_start(list, format);                                                          \
    reads_printed(format, list, at);                                                 \
    prepare;                                                                         \
    at.calls();                                                                      \
    const int result = real_##list_name MAZURKA_WITH(arguments, list);               \
    va_end(list);                                                                    \
    return result;                                                                   \
  }
#define MAZURKA_UNPACK(...) __VA_ARGS__
#define MAZURKA_WITH(list, last) (MAZURKA_UNPACK list, last)

// How many bytes it will be.
size_t printed_size(const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  const int length = vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  return length < 0 ? 0 : static_cast<size_t>(length) + 1;
}

void fills(char* to, size_t room, const char* format, va_list list, const SeenAccesses& at) {
  const size_t size = printed_size(format, list);
  at.writes(to, size < room ? size : room);
}

MAZURKA_PRINTS(printf, vprintf, (const char* format), (format), at.uses(stdout))
MAZURKA_PRINTS(fprintf, vfprintf, (FILE * stream, const char* format), (stream, format),
               at.uses(stream))
MAZURKA_PRINTS(dprintf, vdprintf, (int fd, const char* format), (fd, format), (void)0)
MAZURKA_PRINTS(sprintf, vsprintf, (char* to, const char* format), (to, format),
               fills(to, SIZE_MAX, format, list, at))
MAZURKA_PRINTS(snprintf, vsnprintf, (char* to, size_t room, const char* format), (to, room, format),
               fills(to, room, format, list, at))
MAZURKA_PRINTS(asprintf, vasprintf, (char** to, const char* format), (to, format),
               at.writes(to, sizeof *to))
MAZURKA_PRINTS(__printf_chk, __vprintf_chk, (int flag, const char* format), (flag, format),
               at.uses(stdout))
MAZURKA_PRINTS(__fprintf_chk, __vfprintf_chk, (FILE * stream, int flag, const char* format),
               (stream, flag, format), at.uses(stream))
MAZURKA_PRINTS(__sprintf_chk, __vsprintf_chk, (char* to, int flag, size_t size, const char* format),
               (to, flag, size, format), fills(to, SIZE_MAX, format, list, at))
MAZURKA_PRINTS(__snprintf_chk, __vsnprintf_chk,
               (char* to, size_t room, int flag, size_t size, const char* format),
               (to, room, flag, size, format), fills(to, room, format, list, at))

#define MAZURKA_SCANS(name, list_name, parameters, arguments, prepare)               \
  int(*real_##list_name) MAZURKA_WITH(parameters, va_list);                          \
  MAZURKA_SEEN_SECTION int seen_##list_name MAZURKA_WITH(parameters, va_list list) { \
    const SeenAccesses at(#list_name, __builtin_return_address(0));                  \
    reads_format(format, at);                                                        \
    prepare;                                                                         \
    va_list copy;                                                                    \
    va_copy(copy, list);                                                             \
    at.calls();                                                                      \
    const int result = real_##list_name MAZURKA_WITH(arguments, copy);               \
    va_end(copy);                                                                    \
    wrote_scanned(format, result, list, at);                                         \
    return result;                                                                   \
  }                                                                                  \
  void* real_##name;                                                                 \
  MAZURKA_SEEN_SECTION int seen_##name MAZURKA_WITH(parameters, ...) {               \
    const SeenAccesses at(#name, __builtin_return_address(0));                       \
    reads_format(format, at);                                                        \
    prepare;                                                                         \
    va_list list;                                                                    \
    va_start(list, format);                                                          \
    at.calls();                                                                      \
    const int result = real_##list_name MAZURKA_WITH(arguments, list);               \
    va_end(list);                                                                    \
    va_start(list, format);                                                          \
    wrote_scanned(format, result, list, at);                                         \
    va_end(list);                                                                    \
    return result;                                                                   \
  }

MAZURKA_SCANS(scanf, vscanf, (const char* format), (format), at.uses(stdin))
MAZURKA_SCANS(fscanf, vfscanf, (FILE * stream, const char* format), (stream, format),
              at.uses(stream))
MAZURKA_SCANS(sscanf, vsscanf, (const char* from, const char* format), (from, format),
              at.text(from))
MAZURKA_SCANS(__isoc99_scanf, __isoc99_vscanf, (const char* format), (format), at.uses(stdin))
MAZURKA_SCANS(__isoc99_fscanf, __isoc99_vfscanf, (FILE * stream, const char* format),
              (stream, format), at.uses(stream))
MAZURKA_SCANS(__isoc99_sscanf, __isoc99_vsscanf, (const char* from, const char* format),
              (from, format), at.text(from))
MAZURKA_SCANS(__isoc23_scanf, __isoc23_vscanf, (const char* format), (format), at.uses(stdin))
MAZURKA_SCANS(__isoc23_fscanf, __isoc23_vfscanf, (FILE * stream, const char* format),
              (stream, format), at.uses(stream))
MAZURKA_SCANS(__isoc23_sscanf, __isoc23_vsscanf, (const char* from, const char* format),
              (from, format), at.text(from))

#define MAZURKA_ENTRIES(name, list_name) \
  MAZURKA_SEEN_ENTRY(name, name)         \
  MAZURKA_SEEN_ENTRY(list_name, list_name)
const SeenCall kFormatCalls[] = {
    MAZURKA_ENTRIES(printf, vprintf) MAZURKA_ENTRIES(fprintf, vfprintf) MAZURKA_ENTRIES(
        dprintf, vdprintf) MAZURKA_ENTRIES(sprintf, vsprintf) MAZURKA_ENTRIES(snprintf, vsnprintf)
        MAZURKA_ENTRIES(asprintf, vasprintf) MAZURKA_ENTRIES(__printf_chk, __vprintf_chk)
            MAZURKA_ENTRIES(__fprintf_chk, __vfprintf_chk)
                MAZURKA_ENTRIES(__sprintf_chk, __vsprintf_chk)
                    MAZURKA_ENTRIES(__snprintf_chk, __vsnprintf_chk) MAZURKA_ENTRIES(scanf, vscanf)
                        MAZURKA_ENTRIES(fscanf, vfscanf) MAZURKA_ENTRIES(sscanf, vsscanf)
                            MAZURKA_ENTRIES(__isoc99_scanf, __isoc99_vscanf)
                                MAZURKA_ENTRIES(__isoc99_fscanf, __isoc99_vfscanf)
                                    MAZURKA_ENTRIES(__isoc99_sscanf, __isoc99_vsscanf)
                                        MAZURKA_ENTRIES(__isoc23_scanf, __isoc23_vscanf)
                                            MAZURKA_ENTRIES(__isoc23_fscanf, __isoc23_vfscanf)
                                                MAZURKA_ENTRIES(__isoc23_sscanf, __isoc23_vsscanf)};

}  // namespace

SeenCalls seen_format_calls() { return {kFormatCalls, sizeof kFormatCalls / sizeof *kFormatCalls}; }

}  // namespace mazurka
