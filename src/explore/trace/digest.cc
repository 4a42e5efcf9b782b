#include "explore/trace/digest.h"

#include <algorithm>
#include <cstddef>

#include "explore/trace/mentioned_accesses.h"
#include "explore/trace/operation_kinds.h"
#include "explore/trace/same_words.h"
#include "objects/op_table.h"

namespace mazurka {
namespace {

bool same_operation(const Operation& a, const Operation& b) {
  constexpr size_t kNames = offsetof(Operation, value);
  static_assert(offsetof(Operation, deadline_ns) > kNames && offsetof(Operation, desired) > kNames);
  const auto* a_bytes = reinterpret_cast<const char*>(&a);
  const auto* b_bytes = reinterpret_cast<const char*>(&b);
  return same_words<uint64_t>(a_bytes, b_bytes, kNames) &&
         (is_on_variable(a.kind) ||
          same_words<uint64_t>(a_bytes + kNames, b_bytes + kNames, sizeof a - kNames));
}

bool may_order(const Access& access, const Transition& made) {
  switch (access.resource.kind) {
    case Resource::Kind::Moves:
      return access.mode != Mode::Add;
    case Resource::Kind::Thread:
      return access.mode != Mode::Add || access.resource != thread_resource(made.choice.thread);
    case Resource::Kind::Process:
      return access.mode != Mode::Read || access.resource != process_resource(made.process, kLife);
    default:
      return true;
  }
}

// What OperationMasks looks at for each execution: who may make another operation a misuse, or
// become one itself. It asks for these kinds by name (note_operation, is_safe).
bool is_remarkable_kind(OpKind kind) {
  return kind == OpKind::Join || kind == OpKind::CondWait || kind == OpKind::RwUnlock ||
         destroys(kind);
}

// The object that the transition can only enable operations on. It has no other accesses to
// objects.
uint64_t freed_by(const Transition& made) {
  if (made.effect.misuse != Misuse::None) return 0;
  const Releases releases = row_of(made.op.kind).releases;
  const bool is_rwlock = releases == Releases::RwLock;
  if (releases != Releases::Mutex && !is_rwlock) return 0;
  const uint64_t whole = AccessMask::bit_of(object_resource(made.op.object));
  return is_rwlock ? whole | AccessMask::bit_of(object_resource(made.op.object, kReaders)) : whole;
}

EventMasks masks_of(const Transition& made) {
  EventMasks masks;
  for (const Access& access : made.accesses) {
    masks.every.add(access.resource, access.mode);
    const bool life = access.resource.kind == Resource::Kind::Thread;
    if (!life || access.mode != Mode::Write) masks.all.add(access.resource, access.mode);
  }
  masks.disables = masks.all.changes & ~freed_by(made);
  return masks;
}

}  // namespace

bool Digest::is_of(const Transition& made) const {
  return is_known && thread == made.choice.thread && process == made.process &&
         access_count == made.accesses.size() && made.effect.misuse == Misuse::None &&
         made.effect.signal == 0 && (made.has_no_more || made.parts.empty()) &&
         same_operation(op, made.op) &&
         same_words<uint32_t>(accesses, made.accesses.data(), access_count * sizeof(Access));
}

void Digest::read(const Transition& made) {
  has_misuse = made.effect.misuse != Misuse::None;
  has_parts = !made.parts.empty() || made.op.part_count != 0;
  is_known = !has_misuse && made.effect.signal == 0 && made.parts.empty() &&
             made.accesses.size() <= kMostAccesses;
  thread = made.choice.thread;
  process = made.process;
  access_count = static_cast<uint32_t>(made.accesses.size());
  op = made.op;
  if (is_known) {
    std::copy(made.accesses.begin(), made.accesses.end(), accesses);
    const Access* end = std::copy_if(accesses, accesses + access_count, own_ordering,
                                     [&](const Access& access) { return may_order(access, made); });
    ordering = own_ordering;
    ordering_count = static_cast<uint32_t>(end - own_ordering);
  } else {
    ordering = made.accesses.data();
    ordering_count = access_count;
  }
  const bool joins_other =
      is_known && op.kind == OpKind::Join && op.target != thread && index(op.target) < kMaxThreads;
  const bool by_life_alone = joins_other && ordering_count == 1 &&
                             ordering[0].mode == Mode::Write &&
                             ordering[0].resource == thread_resource(op.target);
  joined = by_life_alone ? op.target : kNoThread;
  may_have_outcomes = mazurka::may_have_outcomes(op);
  may_block = mazurka::may_block(op);
  may_bring_signals = mazurka::may_bring_signals(op);
  ends_threads = mazurka::ends_threads(made);
  is_remarkable = is_remarkable_kind(op.kind);
  event = masks_of(made);
  operation = mask_of(op, made.parts, thread, process);
}

OperationMask mask_of(const Operation& op, const std::vector<OpPart>& parts, ThreadId thread,
                      ProcessId process) {
  const bool blocks = may_block(op);
  AccessMask mask;
  mask.add(moves_resource(), Mode::Add);
  mask.add(thread_resource(thread), Mode::Add);
  mask.add(process_resource(process, kLife), Mode::Read);
  if (!add_mentioned(op, parts, thread, process, mask)) return any_mask(blocks);
  return {mask, blocks ? disabling_bits(op, parts) : 0, true};
}

}  // namespace mazurka
