#include "explore/digest.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "explore/mentioned_accesses.h"
#include "explore/operation_kinds.h"

namespace mazurka {
namespace {

// One by one, and not by way of a copy: the processor would wait for the copy's parts before it
// reads across them.
uint64_t word_of(const Operation& op, size_t i) {
  uint64_t word;
  memcpy(&word, reinterpret_cast<const char*>(&op) + i * sizeof word, sizeof word);
  return word;
}

bool same_operation(const Operation& a, const Operation& b) {
  constexpr size_t kFirstValue = offsetof(Operation, value) / sizeof(uint64_t);
  static_assert(offsetof(Operation, deadline_ns) > offsetof(Operation, value) &&
                offsetof(Operation, desired) > offsetof(Operation, value));
  uint64_t different = 0;
  for (size_t i = 0; i < kFirstValue; ++i) different |= word_of(a, i) ^ word_of(b, i);
  uint64_t values = 0;
  for (size_t i = kFirstValue; i < sizeof(Operation) / sizeof(uint64_t); ++i)
    values |= word_of(a, i) ^ word_of(b, i);
  return (different | (is_on_variable(a.kind) ? 0 : values)) == 0;
}

// With their padding: where only that differs, they count as different.
bool same_accesses(const Access* a, const Access* b, uint32_t count) {
  uint64_t different = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t modes[2];
    memcpy(&modes[0], &a[i].mode, sizeof modes[0]);
    memcpy(&modes[1], &b[i].mode, sizeof modes[1]);
    different |=
        __builtin_bit_cast(uint64_t, a[i].resource) ^ __builtin_bit_cast(uint64_t, b[i].resource);
    different |= modes[0] ^ modes[1];
  }
  return different == 0;
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

bool is_remarkable_kind(OpKind kind) {
  switch (kind) {
    case OpKind::Join:
    case OpKind::CondWait:
    case OpKind::RwUnlock:
    case OpKind::MutexDestroy:
    case OpKind::CondDestroy:
    case OpKind::RwDestroy:
    case OpKind::BarrierDestroy:
    case OpKind::SemDestroy:
      return true;
    default:
      return false;
  }
}

// The object that the transition can only enable operations on. It has no other accesses to
// objects.
uint64_t freed_by(const Transition& made) {
  if (made.effect.misuse != Misuse::None) return 0;
  switch (made.op.kind) {
    case OpKind::MutexUnlock:
      return AccessMask::bit_of(object_resource(made.op.object));
    case OpKind::RwUnlock:
      return AccessMask::bit_of(object_resource(made.op.object)) |
             AccessMask::bit_of(object_resource(made.op.object, kReaders));
    default:
      return 0;
  }
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
         made.parts.empty() && same_operation(op, made.op) &&
         same_accesses(accesses, made.accesses.data(), access_count);
}

void Digest::read(const Transition& made) {
  has_misuse = made.effect.misuse != Misuse::None;
  has_parts = !made.parts.empty() || made.op.part_count != 0;
  is_known = !has_misuse && made.parts.empty() && made.accesses.size() <= kMostAccesses;
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
  may_have_outcomes = mazurka::may_have_outcomes(op);
  may_block = mazurka::may_block(op);
  may_bring_signals = mazurka::may_bring_signals(op);
  is_remarkable = is_remarkable_kind(op.kind);
  event = masks_of(made);
  operation = mask_of(op, made.parts, thread, process);
}

OperationMask mask_of(const Operation& op, const std::vector<SemPart>& parts, ThreadId thread,
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
