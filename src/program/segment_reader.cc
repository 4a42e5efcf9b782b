#include "program/segment_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "execution/resource_limits.h"

namespace mazurka {
namespace {

std::string text_in(const char* pool, uint32_t size, uint32_t place) {
  if (place == 0 || place >= size) return {};
  return std::string(pool + place, strnlen(pool + place, size - place));
}

bool is_known(OpKind kind) { return kind < OpKind::kCount; }

bool is_object(ObjectId id) { return index(id) < kMaxObjects; }

// Or none.
bool has_known_objects(const Operation& op) {
  return (op.object == kNoObject || is_object(op.object)) &&
         (op.second == kNoObject || is_object(op.second));
}

// Most of what can be there is not, and was not before: a look costs less than a write.
template <typename T>
void clear(T& items) {
  if (!items.empty()) items.clear();
}

// Seldom: most operations have as many accesses as the last one that was read there.
[[gnu::noinline]] void change_size(std::vector<Access>& accesses, uint32_t size) {
  accesses.resize(size);
}

class Reader {
 public:
  Reader(const Segment& segment, const LogHeader& log) : segment_(segment), log_(log) {}

  bool read(Execution& out);

 private:
  // Not inlined: behind so many ways out the compiler takes what follows for rare, and copies an
  // operation by `rep movs`.
  [[gnu::noinline]] bool read_step(const LoggedStep& logged, Transition& out) const;
  bool read_more(const LoggedStep& logged, Transition& out) const;
  bool read_enabled(uint32_t begin, uint32_t count, std::vector<Choice>& out) const;
  [[gnu::noinline]] bool read_thread(const LoggedThread& thread, ThreadAtEnd& out) const;
  bool read_parts(const Operation& op, std::vector<OpPart>& out) const;
  inline bool read_accesses(uint32_t begin, uint32_t count, std::vector<Access>& out) const;
  [[gnu::noinline]] bool read_invisible(Execution& out) const;
  bool read_stack(uint32_t begin, uint32_t count, std::vector<uint64_t>& out) const;
  [[gnu::noinline]] bool read_ending(Execution& out) const;
  bool read_access(const LoggedAccess& logged, MemoryAccess& out) const;
  bool read_conflicts(Execution& out) const;
  bool read_guarded(Execution& out) const;

  const Segment& segment_;
  const LogHeader log_;  // a copy: it is checked once
};

bool Reader::read_parts(const Operation& op, std::vector<OpPart>& out) const {
  if (op.part_count == 0) return true;
  if (op.part_begin > kMaxParts || op.part_count > kMaxParts - op.part_begin) return false;
  const OpPart* parts = segment_.world.parts + op.part_begin;
  out.assign(parts, parts + op.part_count);
  return std::all_of(out.begin(), out.end(),
                     [](const OpPart& part) { return is_object(part.object); });
}

// Word by word, so that what is checked is what was copied, and need not be read again: that would
// wait for the copy.
bool Reader::read_accesses(uint32_t begin, uint32_t count, std::vector<Access>& out) const {
  if (begin > kMaxAccesses || count > kMaxAccesses - begin) {
    out.clear();
    return false;
  }
  if (out.size() != count) change_size(out, count);
  const auto* from = reinterpret_cast<const char*>(segment_.accesses + begin);
  auto* to = reinterpret_cast<char*>(out.data());
  uint64_t resources = 0;  // bits of any
  uint32_t modes = 0;      // bits of any mode + 1
  for (uint32_t i = 0; i < count; ++i, from += sizeof(Access), to += sizeof(Access)) {
    uint64_t resource;
    uint32_t mode;  // and the padding behind it
    memcpy(&resource, from, sizeof resource);
    memcpy(&mode, from + sizeof resource, sizeof mode);
    memcpy(to, &resource, sizeof resource);
    memcpy(to + sizeof resource, &mode, sizeof mode);
    resources |= resource;
    modes |= (mode & 0xff) + 1;
  }
  static_assert(sizeof(Access) == 12 && offsetof(Access, mode) == sizeof(Resource));
  static_assert(static_cast<uint32_t>(Mode::Write) == 2);
  return ((resources & kBeyondLimits) == 0) & (modes < 4);
}

bool read_creation(const LoggedCreation& logged, Invisible& out) {
  if (index(logged.created) >= kMaxThreads) return false;
  out.creations.push_back({logged.created, logged.creator, logged.process, logged.forgotten != 0});
  return true;
}

// Each belongs to the transition before `position`, in order. Creating a thread is an access of
// that transition.
bool Reader::read_invisible(Execution& out) const {
  if (log_.setting_end > kMaxSettings || log_.creation_end > kMaxCreations) return false;
  const auto after = [&](uint32_t position) -> Invisible* {
    if (position > out.transitions.size()) return nullptr;
    if (position == 0) return &out.before;
    Transition& made = out.transitions[position - 1];
    made.has_no_more = false;
    return &made.after;
  };
  for (uint32_t i = log_.setting_begin; i < log_.setting_end; ++i) {
    const LoggedSetting& setting = segment_.settings[i];
    Invisible* place = after(setting.position);
    if (place == nullptr || index(setting.object) >= kMaxObjects) return false;
    place->settings.push_back({setting.object, setting.state});
  }
  uint32_t i = log_.creation_begin;
  for (; i < log_.creation_end && segment_.creations[i].position == 0; ++i) {  // most of them
    if (!read_creation(segment_.creations[i], out.before)) return false;
  }
  for (; i < log_.creation_end; ++i) {
    const LoggedCreation& creation = segment_.creations[i];
    Invisible* place = after(creation.position);
    if (place == nullptr || !read_creation(creation, *place)) return false;
    const bool is_last =
        i + 1 == log_.creation_end || segment_.creations[i + 1].position != creation.position;
    if (is_last && creation.position > 0) add_creations(out.transitions[creation.position - 1]);
  }
  return true;
}

bool Reader::read_stack(uint32_t begin, uint32_t count, std::vector<uint64_t>& out) const {
  if (count == 0) return true;
  if (begin > kMaxFrames || count > kMaxFrames - begin) return false;
  out.assign(segment_.frames + begin, segment_.frames + begin + count);
  return true;
}

bool Reader::read_step(const LoggedStep& logged, Transition& out) const {
  if (index(logged.choice.thread) >= kMaxThreads) return false;
  if (!is_known(logged.op.kind) || !has_known_objects(logged.op)) return false;
  out.choice = logged.choice;
  out.process = logged.process;
  out.op = logged.op;
  out.effect = logged.effect;
  out.accesses_everything = logged.accesses_everything != 0;
  out.is_hurried = logged.is_hurried != 0;
  out.place.pc = logged.pc;
  const bool has_no_more =
      (logged.text | logged.enabled_count | logged.op.part_count | logged.frame_count) == 0;
  if (!(has_no_more & out.has_no_more)) {
    out.has_no_more = false;  // should it be damaged
    if (!read_more(logged, out)) return false;
    out.has_no_more = has_no_more;
  }
  return read_accesses(logged.access_begin, logged.access_count, out.accesses);
}

// What most steps do not have.
bool Reader::read_more(const LoggedStep& logged, Transition& out) const {
  clear(out.text);
  clear(out.enabled);
  clear(out.output);
  clear(out.after.settings);
  clear(out.after.creations);
  clear(out.parts);
  clear(out.place.stack);
  if (logged.text != 0) out.text = text_in(segment_.text, kMaxText, logged.text);
  return read_enabled(logged.enabled_begin, logged.enabled_count, out.enabled) &&
         read_parts(logged.op, out.parts) &&
         read_stack(logged.frame_begin, logged.frame_count, out.place.stack);
}

bool Reader::read_enabled(uint32_t begin, uint32_t count, std::vector<Choice>& out) const {
  if (count == 0) return true;
  if (begin > kMaxEnabled || count > kMaxEnabled - begin) return false;
  out.assign(segment_.enabled + begin, segment_.enabled + begin + count);
  return true;
}

bool Reader::read_thread(const LoggedThread& thread, ThreadAtEnd& out) const {
  if (index(thread.id) >= kMaxThreads || thread.status > ThreadStatus::AtExit) return false;
  if (!is_known(thread.pending.kind) || !has_known_objects(thread.pending)) return false;
  out.id = thread.id;
  out.status = thread.status;
  out.killed = thread.killed != 0;
  out.process = thread.process;
  out.pending = thread.pending;
  out.place.pc = thread.pc;
  out.start_routine = thread.start_routine;
  clear(out.name);
  if (thread.name[0] != 0) out.name.assign(thread.name, strnlen(thread.name, sizeof thread.name));
  clear(out.parts);
  clear(out.place.stack);
  clear(out.possible_accesses);
  const bool has_no_more =
      (thread.access_count | thread.pending.part_count | thread.frame_count) == 0;
  return has_no_more ||
         (read_accesses(thread.access_begin, thread.access_count, out.possible_accesses) &&
          read_parts(thread.pending, out.parts) &&
          read_stack(thread.frame_begin, thread.frame_count, out.place.stack));
}

bool Reader::read_ending(Execution& out) const {
  const LogHeader& log = log_;
  out.culprit = log.culprit;
  out.position = log.position;
  out.got = log.got;
  out.text = text_in(segment_.text, kMaxText, log.text);
  switch (log.ending) {
    case Ending::None:
      out.end = End::Lost;
      return true;
    case Ending::Finished:
      out.end = End::Finished;
      return true;
    case Ending::Deadlock:
      out.end = End::Deadlock;
      return true;
    case Ending::Bounded:
      out.end = End::Bounded;
      return true;
    case Ending::DepthReached:
      out.end = End::DepthReached;
      return true;
    case Ending::NeedsFiles:
    case Ending::NeedsStreamLocks:
    case Ending::NeedsLoop:
    case Ending::NeedsWatches:
    case Ending::NeedsAccesses:
    case Ending::NeedsFork:  // LiveProgram goes to the fork server and runs the plan again
      out.end = End::Trouble;
      return true;
    case Ending::Blocked:
      out.end = End::Blocked;
      return true;
    case Ending::Livelock:
      out.end = End::Livelock;
      return true;
    case Ending::Nondeterminism:
      out.end = End::Nondeterminism;
      return is_known(log.got.kind);
    case Ending::RuntimeError:
      out.end = End::Trouble;
      return true;
  }
  return false;
}

bool Reader::read_access(const LoggedAccess& logged, MemoryAccess& out) const {
  constexpr uint8_t kMostLocks = sizeof logged.locks / sizeof *logged.locks;
  if (index(logged.thread) >= kMaxThreads || logged.lock_count > kMostLocks) return false;
  out.thread = logged.thread;
  out.process = logged.process;
  out.is_write = logged.is_write != 0;
  out.is_atomic = logged.is_atomic != 0;
  out.is_free = logged.is_free != 0;
  out.is_end = logged.is_end != 0;
  out.is_in_call = logged.is_in_call != 0;
  out.place.pc = logged.pc;
  out.locks.assign(logged.locks, logged.locks + logged.lock_count);
  return read_stack(logged.frame_begin, logged.frame_count, out.place.stack);
}

bool Reader::read_conflicts(Execution& out) const {
  out.conflicts.clear();
  if (log_.race_begin == log_.race_end) return true;
  if (log_.race_end > kMaxRaces || log_.race_begin > log_.race_end) return false;
  for (uint32_t i = log_.race_begin; i < log_.race_end; ++i) {
    const LoggedRace& logged = segment_.races[i];
    if (logged.kind > ConflictKind::InsideCall || logged.op >= OpKind::kCount ||
        logged.position > out.transitions.size())
      return false;
    MemoryConflict& conflict = out.conflicts.emplace_back();
    conflict.kind = logged.kind;
    conflict.op = logged.op;
    conflict.position = logged.position;
    conflict.address = logged.address;
    conflict.size = logged.size;
    conflict.where = logged.place;
    if (!read_access(logged.first, conflict.first) || !read_access(logged.second, conflict.second))
      return false;
  }
  return true;
}

bool Reader::read_guarded(Execution& out) const {
  out.guarded.clear();
  if (log_.guard_end > kMaxGuards || log_.guard_begin > log_.guard_end) return false;
  for (uint32_t i = log_.guard_begin; i < log_.guard_end; ++i) {
    const LoggedGuard& logged = segment_.guards[i];
    const uint32_t count = logged.lock_count;
    if (logged.position > out.transitions.size() || count == 0 || count > kMostDisciplineLocks)
      return false;
    GuardedMemory& memory = out.guarded.emplace_back();
    memory.position = logged.position;
    memory.space = logged.space;
    memory.offset = logged.offset;
    memory.bytes = logged.bytes;
    memory.address = logged.address;
    memory.where = logged.place;
    memory.locks.assign(logged.locks, logged.locks + count);
    std::sort(memory.locks.begin(), memory.locks.end());
    if (!read_access(logged.access, memory.access)) return false;
  }
  return true;
}

bool Reader::read(Execution& out) {
  const uint32_t begin = log_.step_begin;
  if (begin > kMaxSteps || log_.step_count > kMaxSteps - begin ||
      log_.thread_end > kMaxLoggedThreads || log_.thread_begin > kMaxLoggedThreads)
    return false;
  out.transitions.resize(log_.step_count);
  const LoggedStep* step = segment_.steps + begin;
  uint8_t rarities = 0;
  for (Transition& made : out.transitions) {
    if (!read_step(*step++, made)) return false;
    rarities |= rarities_of(made.op, made.choice, made.effect);
  }
  out.threads.resize(log_.thread_end > log_.thread_begin ? log_.thread_end - log_.thread_begin : 0);
  const LoggedThread* logged = segment_.logged_threads + log_.thread_begin;
  for (ThreadAtEnd& thread : out.threads) {
    if (!read_thread(*logged++, thread)) return false;
    rarities |= rarities_of(thread.pending);
  }
  out.rarities = rarities;
  if (log_.word_end > kMaxKnownWords || log_.word_begin > log_.word_end) return false;
  out.new_words.assign(segment_.known_words.words + log_.word_begin,
                       segment_.known_words.words + log_.word_end);
  out.first_process_ended = log_.first_process_ended != 0;
  out.wait_status = log_.wait_status;
  return read_invisible(out) && read_conflicts(out) && read_guarded(out) && read_ending(out);
}

}  // namespace

bool read_execution(const Segment& segment, uint32_t number, Execution& out) {
  out.output_before.clear();
  out.before.settings.clear();
  out.before.creations.clear();
  out.rarities = kAnyRarity;  // until all of it is read
  if (!is_intact(segment) || number >= kMaxBatch) {
    out.threads.clear();
    out.transitions.clear();
    out.conflicts.clear();
    out.guarded.clear();
    return false;
  }
  return Reader(segment, segment.logs[number]).read(out);
}

std::string segment_text(const Segment& segment, uint32_t place) {
  return text_in(segment.text, kMaxText, place);
}

bool is_intact(const Segment& segment) {
  return segment.magic == kSegmentMagic && segment.version == kVersion &&
         segment.canary == kSegmentMagic && segment.last_canary == kSegmentMagic &&
         segment.names.thread_count <= kMaxThreads && segment.names.object_count <= kMaxObjects;
}

}  // namespace mazurka
