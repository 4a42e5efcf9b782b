// The locks of streams that are files. libc keeps one while it reads or writes, which are
// operations where files are private: another thread would wait for it where nobody sees it. So who
// uses such a stream in a process with several threads takes a lock of ours first; and the order in
// which threads write into its buffer is one of locks.
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <wchar.h>

#include "runtime/core/raw.h"
#include "runtime/files/file_syscalls.h"

namespace mazurka {
namespace {

bool needs_lock(FILE* stream) {
  if (!uses_private_files() || stream == nullptr || stream->_fileno < 0) return false;
  if (!has_unseen_threads(world(), current_thread())) return false;
  const long number_and_more[6] = {stream->_fileno};
  return is_file_call(SYS_fstat, number_and_more);
}

ObjectId lock_of(const FILE* stream) {
  const ObjectId lock = object_by_address(stream, ObjectKind::Mutex);
  Mutex& mutex = world().object(lock).mutex;
  if (mutex.type != MutexType::Recursive) {
    mutex.type = MutexType::Recursive;
    world().touch(lock);
  }
  return lock;
}

// What it held it gives back, whatever has become of the stream.
class StreamLock {
 public:
  StreamLock(FILE* stream, Call call) : call_(call) {
    if (!needs_lock(stream)) return;
    lock_ = lock_of(stream);
    reach({.kind = OpKind::MutexLock, .object = lock_}, call_);
  }
  ~StreamLock() {
    if (lock_ != kNoObject) reach({.kind = OpKind::MutexUnlock, .object = lock_}, call_);
  }
  StreamLock(const StreamLock&) = delete;
  StreamLock& operator=(const StreamLock&) = delete;

 private:
  const Call call_;
  ObjectId lock_ = kNoObject;
};

// The header gives fscanf and vfscanf the names of C99.
auto real_vfscanf() -> decltype(&::vfscanf) {
  __attribute__((section("mazurka_found"))) static decltype(&::vfscanf) found = nullptr;
  if (found == nullptr)
    found = reinterpret_cast<decltype(&::vfscanf)>(real_function("__isoc99_vfscanf"));
  return found;
}

}  // namespace
}  // namespace mazurka

using namespace mazurka;

// With _FORTIFY_SOURCE, and by the version of the C standard, programs call these; no header
// declares all of them for us. NOLINTBEGIN(*-naming,*-reserved-identifier)
extern "C" {
int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments);
int __fprintf_chk(FILE* stream, int flag, const char* format, ...);
int __printf_chk(int flag, const char* format, ...);
int __vprintf_chk(int flag, const char* format, va_list arguments);
char* __fgets_chk(char* line, size_t room, int count, FILE* stream);
size_t __fread_chk(void* to, size_t room, size_t size, size_t count, FILE* stream);
int __isoc23_fscanf(FILE* stream, const char* format, ...);
int __isoc23_vfscanf(FILE* stream, const char* format, va_list arguments);
int _IO_putc(int character, FILE* stream);
int _IO_getc(FILE* stream);
ssize_t __getdelim(char** line, size_t* size, int end, FILE* stream);
}
// NOLINTEND(*-naming,*-reserved-identifier)

// NOLINTBEGIN(bugprone-macro-parentheses): types, names, and lists that have their own
#define MAZURKA_ON_STREAM(result, name, parameters, arguments, stream) \
  MAZURKA_EXPORT result name parameters {                              \
    const StreamLock lock(stream, MAZURKA_HERE);                       \
    return REAL(name) arguments;                                       \
  }
#define MAZURKA_FORMATTING(name, parameters, last, stream, formatted) \
  MAZURKA_EXPORT int name parameters {                                \
    const StreamLock lock(stream, MAZURKA_HERE);                      \
    va_list list;                                                     \
    va_start(list, last);                                             \
    const int count = formatted;                                      \
    va_end(list);                                                     \
    return count;                                                     \
  }
// NOLINTEND(bugprone-macro-parentheses)

MAZURKA_FORMATTING(fprintf, (FILE * stream, const char* format, ...), format, stream,
                   REAL(vfprintf)(stream, format, list))
MAZURKA_FORMATTING(printf, (const char* format, ...), format, stdout, REAL(vprintf)(format, list))
MAZURKA_FORMATTING(__fprintf_chk, (FILE * stream, int flag, const char* format, ...), format,
                   stream, REAL(__vfprintf_chk)(stream, flag, format, list))
MAZURKA_FORMATTING(__printf_chk, (int flag, const char* format, ...), format, stdout,
                   REAL(__vprintf_chk)(flag, format, list))
MAZURKA_FORMATTING(fscanf, (FILE * stream, const char* format, ...), format, stream,
                   real_vfscanf()(stream, format, list))
MAZURKA_FORMATTING(__isoc23_fscanf, (FILE * stream, const char* format, ...), format, stream,
                   REAL(__isoc23_vfscanf)(stream, format, list))

MAZURKA_ON_STREAM(int, vfprintf, (FILE * stream, const char* format, va_list list),
                  (stream, format, list), stream)
MAZURKA_ON_STREAM(int, vprintf, (const char* format, va_list list), (format, list), stdout)
MAZURKA_ON_STREAM(int, __vfprintf_chk, (FILE * stream, int flag, const char* format, va_list list),
                  (stream, flag, format, list), stream)
MAZURKA_ON_STREAM(int, __vprintf_chk, (int flag, const char* format, va_list list),
                  (flag, format, list), stdout)
MAZURKA_EXPORT int vfscanf(FILE* stream, const char* format, va_list list) {
  const StreamLock lock(stream, MAZURKA_HERE);
  return real_vfscanf()(stream, format, list);
}
MAZURKA_ON_STREAM(int, puts, (const char* text), (text), stdout)
MAZURKA_ON_STREAM(int, fputs, (const char* text, FILE* stream), (text, stream), stream)
MAZURKA_ON_STREAM(int, fputc, (int character, FILE* stream), (character, stream), stream)
MAZURKA_ON_STREAM(int, putc, (int character, FILE* stream), (character, stream), stream)
MAZURKA_ON_STREAM(int, _IO_putc, (int character, FILE* stream), (character, stream), stream)
MAZURKA_ON_STREAM(int, putchar, (int character), (character), stdout)
MAZURKA_ON_STREAM(size_t, fwrite, (const void* bytes, size_t size, size_t count, FILE* stream),
                  (bytes, size, count, stream), stream)
MAZURKA_ON_STREAM(size_t, fread, (void* bytes, size_t size, size_t count, FILE* stream),
                  (bytes, size, count, stream), stream)
MAZURKA_ON_STREAM(size_t, __fread_chk,
                  (void* bytes, size_t room, size_t size, size_t count, FILE* stream),
                  (bytes, room, size, count, stream), stream)
MAZURKA_ON_STREAM(char*, fgets, (char* line, int count, FILE* stream), (line, count, stream),
                  stream)
MAZURKA_ON_STREAM(char*, __fgets_chk, (char* line, size_t room, int count, FILE* stream),
                  (line, room, count, stream), stream)
MAZURKA_ON_STREAM(int, fgetc, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, getc, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, _IO_getc, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, ungetc, (int character, FILE* stream), (character, stream), stream)
MAZURKA_ON_STREAM(ssize_t, getline, (char** line, size_t* size, FILE* stream), (line, size, stream),
                  stream)
MAZURKA_ON_STREAM(ssize_t, getdelim, (char** line, size_t* size, int end, FILE* stream),
                  (line, size, end, stream), stream)
MAZURKA_ON_STREAM(ssize_t, __getdelim, (char** line, size_t* size, int end, FILE* stream),
                  (line, size, end, stream), stream)
MAZURKA_ON_STREAM(int, fflush, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, fclose, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, fseek, (FILE * stream, long offset, int whence), (stream, offset, whence),
                  stream)
MAZURKA_ON_STREAM(int, fseeko, (FILE * stream, off_t offset, int whence), (stream, offset, whence),
                  stream)
MAZURKA_ON_STREAM(int, fseeko64, (FILE * stream, off64_t offset, int whence),
                  (stream, offset, whence), stream)
MAZURKA_ON_STREAM(long, ftell, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(off_t, ftello, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(off64_t, ftello64, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(void, rewind, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, fgetpos, (FILE * stream, fpos_t* position), (stream, position), stream)
MAZURKA_ON_STREAM(int, fsetpos, (FILE * stream, const fpos_t* position), (stream, position), stream)
MAZURKA_ON_STREAM(int, setvbuf, (FILE * stream, char* buffer, int mode, size_t size),
                  (stream, buffer, mode, size), stream)
