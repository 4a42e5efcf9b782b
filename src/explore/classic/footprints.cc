#include "explore/classic/footprints.h"

#include <algorithm>
#include <utility>

#include "explore/trace/operation_kinds.h"
#include "explore/trace/state_replay.h"

namespace mazurka {
namespace {

uint64_t word_of(const Resource& r) {
  return uint64_t{r.index} << 16 | uint64_t{r.part} << 8 | static_cast<uint64_t>(r.kind);
}

uint32_t& count_of(std::vector<uint32_t>& counts, ThreadId id) {
  if (counts.size() <= index(id)) counts.resize(index(id) + 1u);
  return counts[index(id)];
}

bool holds(const Object& object, ThreadId thread) {
  if (object.kind == ObjectKind::Mutex) return object.mutex.owner == thread;
  if (object.kind != ObjectKind::RwLock) return false;
  const RwLock& lock = object.rwlock;
  const auto* const end = lock.readers + lock.known_readers;
  return lock.writer == thread || std::any_of(lock.readers, end, [thread](const auto& reader) {
           return reader.thread == thread;
         });
}

}  // namespace

bool awaits_one_end(const Operation& op) {
  const bool waits = op.kind == OpKind::Join || op.kind == OpKind::WaitChild;
  return waits && op.target != kNoThread && (op.flags & (kTry | kTimed)) == 0;
}

Footprints::Thread& Footprints::thread(ThreadId id) {
  if (threads_.size() <= index(id)) threads_.resize(index(id) + 1u);
  return threads_[index(id)];
}

bool Footprints::raise(uint32_t& last, uint32_t to) {
  if (last >= to) return false;
  last = to;
  return grown_ = true;
}

void Footprints::note(ThreadId id, const Access& access, uint32_t number, const Operation& op) {
  Resource resource = access.resource;
  const bool is_life = resource.kind == Resource::Kind::Thread;
  // A signal may interrupt the wait before that end, and only before: then it does meet what the
  // other does.
  const bool waits = awaits_one_end(op) && !has_signals_;
  if (is_life && resource.index != index(id) && access.mode != Mode::Add && waits) {
    resource = awaited_resource(ThreadId(static_cast<uint16_t>(resource.index)));
  }
  raise(thread(id).accesses[word_of(resource)].of[static_cast<size_t>(access.mode)], number);
}

void Footprints::note_creations(const Invisible& invisible,
                                const std::vector<uint32_t>& transitions) {
  for (const ThreadCreation& made : invisible.creations) {
    if (made.creator == kNoThread) continue;
    const uint32_t count =
        index(made.creator) < transitions.size() ? transitions[index(made.creator)] : 0;
    raise(thread(made.creator).creations[made.created], std::max(1u, count));
  }
}

Footprints::TransitionKey Footprints::transition_key(const World& world, ThreadId thread,
                                                     const Operation& op) {
  TransitionKey key{world.thread(thread).transitions + 1, op.kind, op.object, op.second, {}};
  for (uint32_t i = 0; i < world.object_limit; ++i) {
    if (holds(world.objects[i], thread)) key.locks.push_back(ObjectId(i));
  }
  return key;
}

// More accesses than fit are one that conflicts with every other: that somebody moved. So it is in
// `learn`.
void Footprints::note_transition(const Transition& transition, TransitionKey key) {
  std::vector<Access>& known = thread(transition.choice.thread).transitions[std::move(key)];
  Access items[kMaxStepAccesses];
  std::copy(known.begin(), known.end(), items);
  AccessList list{items, kMaxStepAccesses, static_cast<uint32_t>(known.size())};
  for (const Access& access : transition.accesses) list.add(access.resource, access.mode);
  if (list.overflow || transition.accesses_everything) {
    list = {items, kMaxStepAccesses};
    list.add(moves_resource(), Mode::Write);
  }
  const bool same =
      list.count == known.size() &&
      std::equal(known.begin(), known.end(), items, [](const Access& a, const Access& b) {
        return a.resource == b.resource && a.mode == b.mode;
      });
  if (same) return;
  known.assign(items, items + list.count);
  grown_ = true;
}

void Footprints::note_signals(const Execution& execution) {
  if (has_signals_) return;
  const bool pending =
      std::any_of(execution.threads.begin(), execution.threads.end(), [](const ThreadAtEnd& t) {
        return t.stands_before_operation() && may_bring_signals(t.pending);
      });
  if (pending || uses_signals(execution)) has_signals_ = grown_ = true;
}

void Footprints::note_transitions(const Execution& execution) {
  StateReplay replay;
  replay.begin(execution);
  for (const Transition& t : execution.transitions) {
    note_transition(t, transition_key(replay.world(), t.choice.thread, t.op));
    replay.step();
  }
}

bool Footprints::add_next(const World& world, ThreadId id, const Operation& op,
                          AccessList& out) const {
  if (index(id) >= threads_.size()) return false;
  const auto found = threads_[index(id)].transitions.find(transition_key(world, id, op));
  if (found == threads_[index(id)].transitions.end()) return false;
  for (const Access& access : found->second) out.add(access.resource, access.mode);
  return true;
}

bool Footprints::learn(const Execution& execution) {
  grown_ = false;
  std::vector<uint32_t> transitions;  // by thread
  note_creations(execution.before, transitions);
  note_signals(execution);
  for (const Transition& t : execution.transitions) {
    const uint32_t number = ++count_of(transitions, t.choice.thread);
    for (const Access& access : t.accesses) note(t.choice.thread, access, number, t.op);
    if (t.accesses_everything)
      note(t.choice.thread, {moves_resource(), Mode::Write, {}}, number, t.op);
    note_creations(t.after, transitions);
  }
  for (const ThreadAtEnd& t : execution.threads) {
    if (!t.stands_before_operation()) continue;
    const uint32_t number = count_of(transitions, t.id) + 1;
    for (const Access& access : t.possible_accesses) note(t.id, access, number, t.pending);
  }
  if (by_transition_) note_transitions(execution);
  return grown_;
}

bool Footprints::conflicts(ThreadId id, uint32_t transitions, const Access& access,
                           const std::vector<bool>& is_there) const {
  if (index(id) >= threads_.size()) return false;
  const Thread& thread = threads_[index(id)];
  const auto found = thread.accesses.find(word_of(access.resource));
  for (uint32_t mode = 0; found != thread.accesses.end() && mode < kModes; ++mode) {
    if (found->second.of[mode] <= transitions) continue;
    if (conflict(static_cast<Mode>(mode), access.mode)) return true;
  }
  return std::any_of(thread.creations.begin(), thread.creations.end(), [&](const auto& creation) {
    const ThreadId child = creation.first;
    const bool here = index(child) < is_there.size() && is_there[index(child)];
    return creation.second > transitions && !here && conflicts(child, 0, access, is_there);
  });
}

void Footprints::save(ByteWriter& out) const {
  out.put(has_signals_);
  out.put(static_cast<uint64_t>(threads_.size()));
  for (const Thread& thread : threads_) {
    out.put(static_cast<uint64_t>(thread.accesses.size()));
    for (const auto& [resource, last] : thread.accesses) {
      out.put(resource);
      out.put(last);
    }
    out.put(static_cast<uint64_t>(thread.creations.size()));
    for (const auto& [created, number] : thread.creations) {
      out.put(created);
      out.put(number);
    }
  }
}

void Footprints::restore(ByteReader& in) {
  has_signals_ = in.get<bool>();
  threads_.assign(in.get_count(2 * sizeof(uint64_t)), Thread());
  for (Thread& thread : threads_) {
    for (uint64_t i = in.get_count(sizeof(uint64_t)); i > 0; --i) {
      const auto resource = in.get<uint64_t>();
      thread.accesses[resource] = in.get<Last>();
    }
    for (uint64_t i = in.get_count(sizeof(ThreadId)); i > 0; --i) {
      const auto created = in.get<ThreadId>();
      thread.creations[created] = in.get<uint32_t>();
    }
  }
}

}  // namespace mazurka
