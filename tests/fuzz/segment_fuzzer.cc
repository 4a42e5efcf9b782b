// A libFuzzer target for what the tool reads out of the shared segment, where a program may have
// written anything. A small valid log is made; the fuzzer's data says which of its bytes are
// overwritten, and by what. Data: a byte that says what is done, then for each write its region,
// where in it (two bytes), and eight bytes.
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "program/logbook.h"
#include "program/segment_reader.h"
#include "protocol/batch.h"
#include "protocol/names.h"

namespace {

using namespace mazurka;

constexpr size_t kWindow = 2048;      // bytes of each array that are written over
constexpr uint32_t kMostSteps = 512;  // more would only take time

struct Region {
  char* begin;
  size_t size;
};

template <typename T>
Region front(T& array) {
  return {reinterpret_cast<char*>(&array), std::min(sizeof array, kWindow)};
}

std::vector<Region> regions_of(Segment& s) {
  return {{reinterpret_cast<char*>(&s), offsetof(Segment, processes)},
          front(s.logs),
          front(s.steps),
          front(s.enabled),
          front(s.accesses),
          front(s.settings),
          front(s.creations),
          front(s.logged_threads),
          front(s.races),
          front(s.guards),
          front(s.known_words),
          front(s.frames),
          front(s.text),
          front(s.kept_text),
          front(s.modules),
          front(s.unmodelled),
          front(s.places),
          front(s.processes),
          front(s.names),
          front(s.names.objects),
          front(s.names.places),
          front(s.names.threads),
          front(s.names.table),
          front(s.world.threads),
          front(s.world.objects),
          front(s.world.parts),
          front(s.world.processes)};
}

Segment& the_segment() {
  static auto* const segment = [] {
    void* memory = mmap(nullptr, sizeof(Segment), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MAZURKA_CHECK(memory != MAP_FAILED);
    return static_cast<Segment*>(memory);
  }();
  return *segment;
}

// Two steps of two threads, with something of each kind that a log may have.
void make_log(Segment& s) {
  madvise(&s, sizeof s, MADV_DONTNEED);  // all of it zero, as a new one is
  s.magic = s.canary = s.last_canary = kSegmentMagic;
  s.version = kVersion;
  intern_thread(s.names, kNoThread, 0);
  intern_thread(s.names, kMainThread, 1);
  s.world.create_thread(kMainThread, kNoThread, kMainThread);
  s.world.create_thread(ThreadId{1}, kMainThread, kMainThread);
  std::strcpy(s.text + 1, "a text");
  s.text_count = 8;
  std::strcpy(s.kept_text + 1, "a kept text");
  s.kept_text_count = 13;
  s.modules[0] = {};
  s.module_count = 1;
  s.unmodelled[0] = {0, 1, 1, 1, {}};
  s.unmodelled_count = 1;
  s.steps[0].op = {.kind = OpKind::MutexLock, .object = ObjectId{1}};
  s.steps[0].access_count = s.steps[0].enabled_count = 1;
  s.steps[1].op = {.kind = OpKind::FileUse, .object = ObjectId{1}, .part_count = 1};
  s.accesses[0] = {object_resource(ObjectId{1}), Mode::Write, {}};
  LogHeader& log = s.log;
  log.ending = Ending::Deadlock;
  log.step_count = 2;
  log.setting_end = log.creation_end = log.thread_end = log.race_end = log.guard_end = 1;
  log.enabled_end = log.access_end = 1;
  s.logs[0] = log;
  s.batch.run_count = 1;
}

void overwrite(Segment& s, const uint8_t* data, size_t size) {
  static const std::vector<Region> regions = regions_of(s);
  constexpr size_t kWrite = 11;
  for (; size >= kWrite; data += kWrite, size -= kWrite) {
    const Region& region = regions[data[0] % regions.size()];
    const size_t at = (data[1] | size_t{data[2]} << 8) % (region.size - 8);
    std::memcpy(region.begin + at, data + 3, 8);
  }
  for (LogHeader* log : {&s.log, &s.logs[0], &s.logs[1]}) {
    if (log->step_count > kMostSteps && log->step_count <= kMaxSteps) log->step_count = kMostSteps;
  }
}

void ask(Logbook& logbook) {
  for (uint16_t i = 0; i < 4; ++i) {
    (void)logbook.thread_path(ThreadId{i});
    (void)logbook.object_name(ObjectId{i});
    (void)logbook.object_address(ObjectId{i});
  }
  (void)logbook.modules();
  (void)logbook.unmodelled();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Segment& s = the_segment();
  make_log(s);
  Logbook logbook;
  Shared shared;
  const bool has_taken = (data[0] & 1) != 0 && logbook.take(s, shared);
  overwrite(s, data + 1, size - 1);
  if (!is_intact(s)) return 0;
  if ((data[0] & 2) != 0) keep_log(s);
  if ((data[0] & 4) != 0) forget_all_but_first(s, shared.threads, shared.objects);
  Execution execution;
  const uint32_t count = std::min<uint32_t>(std::max<uint32_t>(s.batch.run_count, 1), 2);
  for (uint32_t i = 0; i < count; ++i) {
    if (!read_execution(s, i, execution)) return 0;
  }
  (void)segment_text(s, s.log.text);
  if (logbook.take(s, shared) || has_taken) ask(logbook);
  Shared nothing;
  logbook.give(s, nothing);
  return 0;
}
