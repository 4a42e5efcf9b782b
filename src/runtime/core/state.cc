#include "runtime/core/state.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "protocol/names.h"
#include "runtime/core/hot.h"
#include "runtime/core/raw.h"
#include "runtime/heap/allocator.h"

namespace mazurka {

MAZURKA_HOT(3) State state;

namespace {

constexpr char kPreloadVariable[] = "LD_PRELOAD";
constexpr char kTunablesVariable[] = "GLIBC_TUNABLES";
constexpr char kBindNowVariable[] = "LD_BIND_NOW";
constexpr char kLibraryPathVariable[] = "LD_LIBRARY_PATH";
constexpr char kUserVariablePrefix[] =
    "MAZURKA_USER_";  // what the user had in a variable that we needed

void say(const char* text) {
  raw_syscall(SYS_write, STDERR_FILENO, address_of(text), static_cast<long>(strlen(text)));
}

// A program that we cannot control must not run at all. The tool shows what it says.
[[noreturn]] void refuse(const char* why, const char* detail) {
  say("Mazurka's runtime ");
  say(why);
  say(detail);
  say("\n");
  raw_exit_group(127);
}

const char* reason(long failed) { return strerrordesc_np(static_cast<int>(-failed)); }

Segment* map_segment(const char* path) {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, address_of(path), O_RDWR | O_CLOEXEC);
  if (raw_failed(fd)) refuse("cannot open the shared segment: ", reason(fd));
  const long address =
      raw_syscall(SYS_mmap, static_cast<long>(kSegmentAddress), sizeof(Segment),
                  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
  raw_syscall(SYS_close, fd);
  if (raw_failed(address)) refuse("cannot map the shared segment: ", reason(address));
  auto* segment = reinterpret_cast<Segment*>(address);
  const bool ours = segment->magic == kSegmentMagic && segment->version == kVersion &&
                    segment->size_of_world == sizeof(World);
  if (!ours) refuse("is of another version than the command", "");
  return segment;
}

// The program sees the environment that its user gave it, not what carries us.
void hide_variable(const char* name) {
  char saved_name[64];
  strcpy(saved_name, kUserVariablePrefix);
  strcat(saved_name, name);
  const char* saved = getenv(saved_name);
  if (saved != nullptr) {
    setenv(name, saved, 1);
    unsetenv(saved_name);
  } else {
    unsetenv(name);
  }
}

// "process:thread": who goes on in this image after an exec. Nothing: the first process.
void adopt_identity(const char* text) {
  if (text == nullptr) {
    state.process = state.current = kMainThread;
    return;
  }
  char* rest = nullptr;
  state.process = ProcessId(strtoul(text, &rest, 10));
  state.current = ThreadId(strtoul(*rest == ':' ? rest + 1 : "0", nullptr, 10));
}

void begin_first_process() {
  Segment& s = *state.segment;
  if (s.names.thread_count == 0) intern_thread(s.names, kNoThread, 0);
  s.world.create_thread(kMainThread, kNoThread, kMainThread);
}

int add_module(dl_phdr_info* info, size_t, void*) {
  Segment& s = segment();
  Module module{};
  module.base = info->dlpi_addr;
  module.start = ~uint64_t{0};
  module.process = state.process;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const uint64_t start = info->dlpi_addr + header.p_vaddr;
    if (start < module.start) module.start = start;
    if (start + header.p_memsz > module.end) module.end = start + header.p_memsz;
  }
  for (uint32_t i = 0; i < s.module_count; ++i) {
    const Module& known = s.modules[i];
    if (known.base == module.base && known.start == module.start && known.process == module.process)
      return 0;
  }
  if (s.module_count >= kMaxModules) return 0;
  char path[4096];
  const char* name = info->dlpi_name;
  if (name == nullptr || *name == '\0') {  // the executable itself
    const long length =
        raw_syscall(SYS_readlink, address_of("/proc/self/exe"), address_of(path), sizeof path - 1);
    if (raw_failed(length)) return 0;
    path[length] = '\0';
    name = path;
  }
  module.path = keep_text(name);
  s.modules[s.module_count++] = module;
  return 0;
}

// It is another in each process, and who looks there would differ from run to run. What libc made
// of it before (the stack protector, its mangled pointers) shows nowhere else.
void settle_random_bytes() {
  auto* const bytes = reinterpret_cast<uint8_t*>(getauxval(AT_RANDOM));
  if (bytes == nullptr) return;
  for (uint8_t i = 0; i < 16; ++i) bytes[i] = static_cast<uint8_t>(i * 37 + 101);
}

}  // namespace

bool attached() {
  if (__builtin_expect(!state.tried_to_attach, 0)) attach();
  return state.segment != nullptr;
}

ThreadId current_thread() { return state.current; }
ProcessId current_process() { return state.process; }

void attach() {
  if (state.tried_to_attach) return;
  state.tried_to_attach = true;
  const char* path = getenv(kSegmentVariable);
  if (path == nullptr) return;
  Segment* mapped = map_segment(path);
  constexpr unsigned long kFsgsbase = 1u << 1;  // HWCAP2_FSGSBASE
  state.has_fsgsbase = (getauxval(AT_HWCAP2) & kFsgsbase) != 0;
  state.segment = mapped;
  strncpy(state.segment_path, path, sizeof state.segment_path - 1);
  state.carrier = static_cast<Carrier>(mapped->control.carrier);
  const char* identity = getenv(kProcessVariable);
  adopt_identity(identity);
  if (identity == nullptr) begin_first_process();
  state.scheduling = identity != nullptr;  // an image that comes after exec is in mid-execution
  Context& self = context(state.current);
  self.handle = pthread_self();
  self.fs_base = reinterpret_cast<void*>(self.handle);
  process_slot(state.process).attached = 1;
  settle_random_bytes();
  unsetenv(kSegmentVariable);
  unsetenv(kProcessVariable);
  unsetenv(kPaddingVariable);
  hide_variable(kPreloadVariable);
  hide_variable(kTunablesVariable);
  hide_variable(kBindNowVariable);
  hide_variable(kLibraryPathVariable);
  allocator_set_exclusive(true);
  allocator_set_slot(slot_of(state.current));
  RuntimeHeap own;
  record_modules();
}

void record_modules() { dl_iterate_phdr(add_module, nullptr); }

namespace {

uint32_t append(char* pool, uint32_t& used, uint32_t limit, const char* text) {
  if (text == nullptr) return 0;
  if (used == 0) used = 1;  // offset 0 means none
  const size_t length = strlen(text) + 1;
  if (used + length > limit) return 0;
  memcpy(pool + used, text, length);
  const uint32_t at = used;
  used += static_cast<uint32_t>(length);
  return at;
}

}  // namespace

uint32_t add_text(const char* text) {
  Segment& s = segment();
  return append(s.text, s.text_count, kMaxText, text);
}

uint32_t keep_text(const char* text) {
  Segment& s = segment();
  return append(s.kept_text, s.kept_text_count, kMaxKeptText, text);
}

RuntimeHeap::RuntimeHeap() : slot_(attached() ? slot_of(state.current) : 0) {
  allocator_set_slot(kRuntimeSlot);
}
RuntimeHeap::~RuntimeHeap() { allocator_set_slot(slot_); }

}  // namespace mazurka
