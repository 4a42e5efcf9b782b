// The locks of streams. libc keeps one while it works on a stream, and flockfile for longer:
// another thread would wait for it where nobody sees it, and who comes first decides what is in the
// buffer. So who uses a stream in a process with several threads takes a lock of ours first: from
// the first execution on in which two of them use the same one, or where the program locks streams
// itself. What is printed to stdout or stderr is nobody's input here, unless they lead into a file
// or channel that has a model, or the program locks streams.
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <wchar.h>

#include <cstring>
#include <iterator>

#include "runtime/channels/descriptors.h"
#include "runtime/core/ends.h"
#include "runtime/core/raw.h"
#include "runtime/core/state.h"
#include "runtime/files/file_syscalls.h"

namespace mazurka {
namespace {

template <typename T>
const T* table_of(const dl_phdr_info* module, ElfW(Sxword) tag) {
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    if (module->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == tag) return reinterpret_cast<const T*>(entry->d_un.d_ptr);
    }
  }
  return nullptr;
}

// What a module asks others for stands in front of what it offers by its hash table.
int imports_lock(dl_phdr_info* module, size_t, void* answer) {
  const auto* const symbols = table_of<ElfW(Sym)>(module, DT_SYMTAB);
  const auto* const names = table_of<char>(module, DT_STRTAB);
  const auto* const hashes = table_of<uint32_t>(module, DT_GNU_HASH);
  const bool is_relocated = reinterpret_cast<uintptr_t>(symbols) >= module->dlpi_addr;
  if (symbols == nullptr || names == nullptr || hashes == nullptr || !is_relocated) return 0;
  const uint32_t imported = hashes[1];
  for (uint32_t i = 1; i < imported; ++i) {
    const char* const name = names + symbols[i].st_name;
    if (symbols[i].st_shndx != SHN_UNDEF) continue;
    if (strcmp(name, "flockfile") == 0 || strcmp(name, "ftrylockfile") == 0)
      *static_cast<bool*>(answer) = true;
  }
  return *static_cast<bool*>(answer) ? 1 : 0;
}

// Of all executions alike: a stream that is locked somewhere must be one everywhere.
bool program_locks_streams() {
  __attribute__((section("mazurka_found"))) static char known = 0;
  if (known == 0) {
    bool found = false;
    dl_iterate_phdr(imports_lock, &found);
    known = found ? 1 : 2;
  }
  return known == 1;
}

bool leads_inside(const FILE* stream) {
  if (stream->_fileno < 0) return false;
  if (description_of(stream->_fileno) != kNoObject) return true;
  const long number_and_more[6] = {stream->_fileno};
  return uses_private_files() && is_file_call(SYS_fstat, number_and_more);
}

// Who has used a stream while its process had several threads, in this execution.
struct StreamUse {
  const FILE* stream;
  ThreadId thread;
};
StreamUse stream_uses[64];

bool is_used_by_another(const FILE* stream, ThreadId thread) {
  for (StreamUse& use : stream_uses) {
    if (use.stream == stream) {
      // A copy that fork has made is a stream of its own.
      if (world().thread(use.thread).process != world().thread(thread).process) use.thread = thread;
      return use.thread != thread;
    }
    if (use.stream == nullptr) {
      use = {stream, thread};
      return false;
    }
  }
  return true;  // nobody knows
}

// While one thread alone uses a stream, its lock is nobody else's business. Once another one comes,
// what was done before should have been an operation: the search starts anew.
bool locks_are_operations(const FILE* stream) {
  if (segment().control.stream_locks != 0 || program_locks_streams()) return true;
  if (segment().control.direct != 0 || !is_used_by_another(stream, current_thread())) return false;
  end_execution(Ending::NeedsStreamLocks);
}

bool needs_lock(const FILE* stream) {
  if (!attached() || !state.scheduling || stream == nullptr) return false;
  if (!has_unseen_threads(world(), current_thread())) return false;
  const bool is_output = stream == stdout || stream == stderr;
  const bool matters = !is_output || program_locks_streams() || leads_inside(stream);
  return matters && locks_are_operations(stream);
}

// Another stream may be made at that address.
void forget_stream(const FILE* stream) {
  for (StreamUse& use : stream_uses) {
    if (use.stream != stream || use.stream == nullptr) continue;
    StreamUse* last = &use;
    while (last + 1 != std::end(stream_uses) && last[1].stream != nullptr) ++last;
    use = *last;
    *last = {};
    return;
  }
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

int lock_for_caller(FILE* stream, uint8_t flags, Call call) {
  if (!attached() || stream == nullptr) return 0;
  if (!program_locks_streams()) name_unmodelled("flockfile by a library that came later", call);
  return reach({.kind = OpKind::MutexLock, .flags = flags, .object = lock_of(stream)}, call).error;
}

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
MAZURKA_ON_STREAM(int, feof, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, ferror, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(void, clearerr, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(wint_t, fputwc, (wchar_t character, FILE* stream), (character, stream), stream)
MAZURKA_ON_STREAM(wint_t, fgetwc, (FILE * stream), (stream), stream)
MAZURKA_ON_STREAM(int, fputws, (const wchar_t* text, FILE* stream), (text, stream), stream)
MAZURKA_ON_STREAM(wchar_t*, fgetws, (wchar_t * line, int count, FILE* stream),
                  (line, count, stream), stream)
MAZURKA_ON_STREAM(int, vfwprintf, (FILE * stream, const wchar_t* format, va_list list),
                  (stream, format, list), stream)
MAZURKA_FORMATTING(fwprintf, (FILE * stream, const wchar_t* format, ...), format, stream,
                   REAL(vfwprintf)(stream, format, list))

MAZURKA_EXPORT int fclose(FILE* stream) {
  const StreamLock lock(stream, MAZURKA_HERE);
  const int result = REAL(fclose)(stream);
  forget_stream(stream);
  return result;
}

MAZURKA_EXPORT void flockfile(FILE* stream) noexcept {
  lock_for_caller(stream, 0, MAZURKA_HERE);
  REAL(flockfile)(stream);
}

MAZURKA_EXPORT int ftrylockfile(FILE* stream) noexcept {
  const int error = lock_for_caller(stream, kTry, MAZURKA_HERE);
  return error != 0 ? error : REAL(ftrylockfile)(stream);
}

MAZURKA_EXPORT void funlockfile(FILE* stream) noexcept {
  const Call call = MAZURKA_HERE;
  REAL(funlockfile)(stream);
  if (attached() && stream != nullptr)
    reach({.kind = OpKind::MutexUnlock, .object = lock_of(stream)}, call);
}
