#include "schedule/sampling.h"

#include "schedule/open_blocks.h"

namespace mazurka {
namespace {

// What is drawn.
enum Purpose : uint64_t {
  kWay,
  kOutcome,
  kPriority,
  kChange,
  kIntended,
  kHeld,
  kInterest,
  kLag,
  kLoose
};

// Splitmix64's finaliser.
uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

uint64_t mixed(uint64_t a, uint64_t b) {
  return mixed(mixed(a + 0x9e3779b97f4a7c15) ^ (b * 0xd6e8feb86659fd93 + 0xa0761d6478bd642f));
}

// Priorities of Pct: those of threads as they appear, below them those that were given at changes
// (of which an earlier one is higher), and below those the pausing ones'.
constexpr uint64_t kInitial = uint64_t{1} << 63;
constexpr uint64_t kChanged = uint64_t{1} << 40;

// -log2(value / 2^64) with 24 bits after the point, by squaring: there is no libm here.
uint64_t negative_log2(uint64_t value) {
  value |= 1;
  const auto zeros = static_cast<uint32_t>(__builtin_clzll(value));
  uint64_t mantissa = value << zeros;  // from 2^63 on: 1.0
  uint64_t fraction = 0;
  for (uint32_t i = 0; i < 24; ++i) {
    const auto square = static_cast<unsigned __int128>(mantissa) * mantissa;
    const bool is_two = (square >> 127) != 0;
    mantissa = static_cast<uint64_t>(is_two ? square >> 64 : square >> 63);
    fraction = fraction << 1 | (is_two ? 1 : 0);
  }
  return (static_cast<uint64_t>(zeros + 1) << 24) - fraction;
}

// The least of several is that of weight w with a probability that goes by w: they are
// exponentially distributed.
uint64_t cost(uint64_t drawn, uint32_t weight) {
  return (negative_log2(drawn) << 24) / (weight == 0 ? 1 : weight);
}

}  // namespace

void Sampler::begin(const SamplingRule& rule, Policy wanted, uint64_t walk) {
  policy = wanted;
  seed = walk;
  step = 0;
  pauses = 0;
  for (uint32_t i = 0; i < limit; ++i) {
    keys[i] = priorities[i] = 0;
    children[i] = left[i] = 0;
  }
  limit = 0;
  intended = kNoThread;
  intended_is_old = 1;
  interest = static_cast<uint32_t>(draw(kInterest, 0) % (rule.object_count + 1));
  if (policy != Policy::Pct) return;
  const uint64_t length = rule.length == 0 ? 1 : rule.length;
  for (uint32_t i = 0; i < rule.change_count && i < kMostChanges; ++i)
    changes[i] = static_cast<uint32_t>(draw(kChange, i) % length);
}

uint64_t Sampler::draw(uint64_t purpose, uint64_t key) const {
  return mixed(mixed(seed, step << 8 | purpose), key);
}

// A path leads to its thread in one way only, so children are met in their order: numbers of
// threads grow along it.
void Sampler::meet(const SamplingRule& rule, const World& world, uint32_t thread) {
  const ThreadId creator = world.threads[thread].creator;
  const uint32_t parent = index(creator);
  uint64_t key = mixed(1);
  if (creator != kNoThread && parent < kMaxThreads && parent != thread)
    key = mixed(keys[parent], ++children[parent]);
  keys[thread] = key | 1;
  left[thread] = policy == Policy::Surw ? events_of(rule, thread) : 0;
  intended_is_old = 1;
}

void Sampler::look(const SamplingRule& rule, const World& world) {
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (keys[i] == 0 && world.threads[i].status != ThreadStatus::Absent) meet(rule, world, i);
  }
  if (limit < world.thread_limit) limit = world.thread_limit;
  best = held = {};
  best_score = held_cost = 0;
  if (policy == Policy::Surw && intended_is_old != 0) draw_intended(rule, world);
  if (policy != Policy::Pct && policy != Policy::Pos) return;
  for (uint32_t i = 0; i < world.thread_limit; ++i) {
    if (priorities[i] != 0 || keys[i] == 0) continue;
    priorities[i] = policy == Policy::Pct ? mixed(mixed(seed, kPriority), keys[i]) | kInitial
                                          : draw(kPriority, keys[i]) | 1;
  }
}

uint64_t Sampler::priority_of(ThreadId thread) const { return priorities[index(thread)]; }

void Sampler::offer(const SamplingRule& rule, const World& world, Choice choice) {
  const uint64_t key = keys[index(choice.thread)];
  uint64_t way = mixed(draw(kWay, key), choice.outcome);
  if (policy == Policy::Lag) way = lag_of(world, choice, way);
  if (policy == Policy::Pct || policy == Policy::Pos) {
    const uint64_t priority = priority_of(choice.thread);
    const uint64_t present = best.thread == kNoThread ? 0 : priority_of(best.thread);
    if (best.thread != kNoThread &&
        (present > priority || (present == priority && best_score >= way)))
      return;
    best = choice;
    best_score = way;
    return;
  }
  const bool waits = policy == Policy::Surw && intended != kNoThread && choice.thread != intended &&
                     is_interesting(rule, world.thread(choice.thread).pending);
  if (waits) {
    const uint64_t its = cost(mixed(draw(kHeld, key), choice.outcome), left[index(choice.thread)]);
    if (held.thread != kNoThread && held_cost <= its) return;
    held = choice;
    held_cost = its;
  } else if (best.thread == kNoThread || best_score < way) {
    best = choice;
    best_score = way;
  }
}

Choice Sampler::take() {
  if (best.thread != kNoThread || held.thread == kNoThread) return best;
  intended = held.thread;
  return held;
}

void Sampler::note(const SamplingRule& rule, const World& before, Choice choice,
                   const AccessList& accesses, Access* room) {
  const ThreadState& mover = before.thread(choice.thread);
  uint64_t& priority = priorities[index(choice.thread)];
  switch (policy) {
    case Policy::First:
    case Policy::Stay:
    case Policy::Random:
      break;
    case Policy::Pct:
      if (lets_others_go_first(mover.pending.kind)) priority = kChanged - ++pauses;
      for (uint32_t i = 0; i < rule.change_count && i < kMostChanges; ++i) {
        if (changes[i] == step) priority = kChanged + rule.change_count - i;
      }
      break;
    case Policy::Pos:
      priority = 0;
      forget_dependent(before, choice.thread, accesses, room);
      break;
    case Policy::Lag:
      count_locks(mover.pending, left[index(choice.thread)]);
      break;
    case Policy::Surw:
      if (!is_interesting(rule, mover.pending)) break;
      left[index(choice.thread)] -= left[index(choice.thread)] > 0 ? 1 : 0;
      intended_is_old = 1;
      break;
  }
  ++step;
}

// --- Lag

// One step of so many, as it is drawn for the execution, is free of it: without any, who goes round
// in a loop that waits for a late one would do so for ever.
constexpr uint64_t kLooseSteps[] = {64, 8};
constexpr uint32_t kMostHeld = 3;  // that count

uint64_t Sampler::lag_of(const World& world, Choice choice, uint64_t way) const {
  const uint64_t loose = kLooseSteps[mixed(mixed(seed, kLoose)) % 2];
  const Operation& op = world.thread(choice.thread).pending;
  way >>= 8;
  if (draw(kLoose, 0) % loose == 0 || lets_others_go_first(op.kind)) return way;
  const uint32_t locks = left[index(choice.thread)];
  const uint64_t kind =
      static_cast<uint64_t>(op.kind) << 2 | (locks < kMostHeld ? locks : kMostHeld);
  return mixed(mixed(seed, kLag), kind) >> 56 << 56 | way;
}

// What fails, or is given up in between, is not known here, and does not matter.
void Sampler::count_locks(const Operation& op, uint32_t& held) {
  switch (op.kind) {
    case OpKind::MutexLock:
    case OpKind::ReadLock:
    case OpKind::WriteLock:
    case OpKind::SemWait:
      ++held;
      break;
    case OpKind::MutexUnlock:
    case OpKind::RwUnlock:
    case OpKind::SemPost:
      held -= held > 0 ? 1 : 0;
      break;
    default:
      break;
  }
}

void Sampler::forget_dependent(const World& before, ThreadId mover, const AccessList& accesses,
                               Access* room) {
  for (uint32_t i = 0; i < before.thread_limit; ++i) {
    const ThreadState& other = before.threads[i];
    if (i == index(mover) || other.status != ThreadStatus::AtOperation) continue;
    AccessList its{room, kMaxStepAccesses};
    possible_accesses(before, ThreadId(i), other.pending, its);
    if (accesses.overflow || its.overflow ||
        conflict(accesses.items, accesses.count, its.items, its.count))
      priorities[i] = 0;
  }
}

// --- Surw

bool Sampler::is_interesting(const SamplingRule& rule, ObjectId object) const {
  if (object == kNoObject) return false;
  if (interest < rule.object_count) return rule.objects[interest] == object;
  for (uint32_t i = 0; i < rule.object_count; ++i) {
    if (rule.objects[i] == object) return true;
  }
  return false;
}

bool Sampler::is_interesting(const SamplingRule& rule, const Operation& op) const {
  return is_interesting(rule, op.object) || is_interesting(rule, op.second);
}

uint32_t Sampler::events_of(const SamplingRule& rule, uint32_t thread) const {
  if (thread >= kMostWeighed) return 0;
  if (interest < rule.object_count) return rule.events[interest][thread];
  uint32_t all = 0;
  for (uint32_t i = 0; i < rule.object_count; ++i) all += rule.events[i][thread];
  return all;
}

// Whoever does not exist yet counts for its creator.
void Sampler::draw_intended(const SamplingRule& rule, const World& world) {
  intended_is_old = 0;
  intended = kNoThread;
  const uint32_t known = world.thread_limit < kMostWeighed ? world.thread_limit : kMostWeighed;
  for (uint32_t i = 0; i < known; ++i) weights[i] = left[i];
  for (uint32_t i = 0; i < kMostWeighed; ++i) {
    if (i < known && world.threads[i].status != ThreadStatus::Absent) continue;
    const uint32_t its = events_of(rule, i);
    uint32_t heir = i;
    for (uint32_t hops = 0; hops < 8 && its > 0 && heir < kMostWeighed; ++hops) {
      heir = index(rule.creators[heir]);
      if (heir >= known || world.threads[heir].status == ThreadStatus::Absent) continue;
      weights[heir] += its;
      break;
    }
    if (i < known) weights[i] = 0;
  }
  uint64_t least = 0;
  for (uint32_t i = 0; i < known; ++i) {
    if (weights[i] == 0 || world.threads[i].status != ThreadStatus::AtOperation) continue;
    const uint64_t its = cost(draw(kIntended, keys[i]), weights[i]);
    if (intended != kNoThread && least <= its) continue;
    intended = ThreadId(i);
    least = its;
  }
}

}  // namespace mazurka
