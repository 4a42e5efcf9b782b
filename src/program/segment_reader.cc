#include "program/segment_reader.h"

#include <cstring>

namespace mazurka {
namespace {

std::string text_in(const char* pool, uint32_t size, uint32_t place) {
  if (place == 0 || place >= size) return {};
  return std::string(pool + place, strnlen(pool + place, size - place));
}

bool is_known(OpKind kind) { return kind < OpKind::kCount; }

class Reader {
 public:
  explicit Reader(const Segment& segment) : segment_(segment) {}

  bool read(Execution& out);

 private:
  bool read_step(const LoggedStep& logged, Transition& out) const;
  bool read_thread(uint32_t index, ThreadAtEnd& out) const;
  bool read_parts(const Operation& op, std::vector<SemPart>& out) const;
  bool read_accesses(const LoggedStep& logged, Transition& out) const;
  bool read_invisible(Execution& out) const;
  bool read_stack(uint32_t begin, uint32_t count, std::vector<uint64_t>& out) const;
  bool read_ending(Execution& out) const;

  const Segment& segment_;
};

bool Reader::read_parts(const Operation& op, std::vector<SemPart>& out) const {
  out.clear();
  if (op.part_count == 0) return true;
  if (op.part_begin > kMaxParts || op.part_count > kMaxParts - op.part_begin) return false;
  const SemPart* parts = segment_.world.parts + op.part_begin;
  out.assign(parts, parts + op.part_count);
  return true;
}

bool Reader::read_accesses(const LoggedStep& logged, Transition& out) const {
  out.accesses.clear();
  out.accesses_everything = logged.accesses_everything != 0;
  if (logged.access_begin > kMaxAccesses || logged.access_count > kMaxAccesses - logged.access_begin) return false;
  const Access* accesses = segment_.accesses + logged.access_begin;
  out.accesses.assign(accesses, accesses + logged.access_count);
  return true;
}

// Each belongs to the transition before `position`, in order. Creating a thread is an access of that transition.
bool Reader::read_invisible(Execution& out) const {
  const LogHeader& log = segment_.log;
  if (log.setting_count > kMaxSettings || log.creation_count > kMaxThreads) return false;
  const auto after = [&](uint32_t position) -> Invisible* {
    if (position > out.transitions.size()) return nullptr;
    return position == 0 ? &out.before : &out.transitions[position - 1].after;
  };
  for (uint32_t i = 0; i < log.setting_count; ++i) {
    const LoggedSetting& setting = segment_.settings[i];
    Invisible* place = after(setting.position);
    if (place == nullptr || index(setting.object) >= kMaxObjects) return false;
    place->settings.push_back({setting.object, setting.state});
  }
  for (uint32_t i = 0; i < log.creation_count; ++i) {
    const LoggedCreation& creation = segment_.creations[i];
    Invisible* place = after(creation.position);
    if (place == nullptr || index(creation.created) >= kMaxThreads) return false;
    place->creations.push_back({creation.created, creation.creator, creation.process, creation.forgotten != 0});
  }
  for (Transition& transition : out.transitions) add_creations(transition);
  return true;
}

bool Reader::read_stack(uint32_t begin, uint32_t count, std::vector<uint64_t>& out) const {
  out.clear();
  if (begin > kMaxFrames || count > kMaxFrames - begin) return false;
  out.assign(segment_.frames + begin, segment_.frames + begin + count);
  return true;
}

bool Reader::read_step(const LoggedStep& logged, Transition& out) const {
  if (index(logged.choice.thread) >= kMaxThreads || !is_known(logged.op.kind)) return false;
  if (logged.enabled_count != 0 &&
      (logged.enabled_begin > kMaxEnabled || logged.enabled_count > kMaxEnabled - logged.enabled_begin)) {
    return false;
  }
  out.choice = logged.choice;
  out.process = logged.process;
  out.op = logged.op;
  out.effect = logged.effect;
  out.place.pc = logged.pc;
  out.text = text_in(segment_.text, kMaxText, logged.text);
  const Choice* enabled = segment_.enabled + logged.enabled_begin;
  out.enabled.assign(enabled, enabled + logged.enabled_count);
  out.output.clear();
  out.after.settings.clear();
  out.after.creations.clear();
  return read_parts(logged.op, out.parts) && read_accesses(logged, out) && read_stack(logged.frame_begin, logged.frame_count, out.place.stack);
}

bool Reader::read_thread(uint32_t i, ThreadAtEnd& out) const {
  const ThreadState& thread = segment_.world.threads[i];
  const ThreadPlace& place = segment_.places[i];
  if (thread.status > ThreadStatus::AtExit || !is_known(thread.pending.kind)) return false;
  out.id = ThreadId(i);
  out.status = thread.status;
  out.killed = thread.killed;
  out.process = thread.process;
  out.pending = thread.pending;
  out.place.pc = place.pc;
  out.start_routine = place.start_routine;
  out.name.assign(place.name, strnlen(place.name, sizeof place.name));
  if (out.stands_before_operation()) read_possible_accesses(segment_.world, out);
  return read_parts(thread.pending, out.parts) && read_stack(place.frame_begin, place.frame_count, out.place.stack);
}

bool Reader::read_ending(Execution& out) const {
  const LogHeader& log = segment_.log;
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

bool Reader::read(Execution& out) {
  out.threads.clear();
  if (!is_intact(segment_) || segment_.log.step_count > kMaxSteps || segment_.world.thread_limit > kMaxThreads) return false;
  out.transitions.resize(segment_.log.step_count);
  for (uint32_t i = 0; i < segment_.log.step_count; ++i) {
    if (!read_step(segment_.steps[i], out.transitions[i])) return false;
  }
  for (uint32_t i = 0; i < segment_.world.thread_limit; ++i) {
    if (segment_.world.threads[i].status == ThreadStatus::Absent) continue;
    if (!read_thread(i, out.threads.emplace_back())) return false;
  }
  const ProcessState& first = segment_.world.processes[0];
  out.first_process_ended = first.ended;
  out.wait_status = first.wait_status;
  out.output_before.clear();
  out.before = {};
  return read_invisible(out) && read_ending(out);
}

}  // namespace

bool read_execution(const Segment& segment, Execution& out) { return Reader(segment).read(out); }

std::string segment_text(const Segment& segment, uint32_t place) { return text_in(segment.text, kMaxText, place); }

bool is_intact(const Segment& segment) {
  return segment.magic == kSegmentMagic && segment.version == kVersion && segment.canary == kSegmentMagic &&
         segment.last_canary == kSegmentMagic;
}

}  // namespace mazurka
