// Who goes on in an execution that is a sample: drawn at random, by one of five policies. Part of
// the free run (free_run.h), so it costs no hand-over; plain data in the shared segment.
//
// - Random: of all enabled choices (thread, outcome) each is as likely. A walk has the probability
//   of the product of 1/enabled.
// - Pct: Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS'10. Threads have random priorities,
// and
//   the highest enabled one goes on; at D-1 random steps whoever has moved gets a low one. Where we
//   differ: who yields or sleeps falls below all others, because it would go round for ever
//   otherwise; of several outcomes of the thread any is as likely. The number of threads need not
//   be known: each draws its own priority when it appears, so all orders are as likely.
// - Pos: Yuan, Yang, Gu, CAV'18. Each operation that a thread stands before has a random priority;
//   when one is done, those that depend on it draw anew. We draw anew for disabled ones, too.
// - Surw: Zhao and others, ASPLOS'25. Only a thread that was drawn, by how many interesting
//   operations it and the threads that it still creates have left, may do an interesting operation;
//   all others are free to walk at random. What is interesting is drawn for each execution: one of
//   the objects that several threads use, or all of them. Where we differ: estimates are means of
//   earlier executions, and a drawn thread that cannot move gives its turn to those who wait for
//   it.
// - Lag: kinds of operations lag behind others, told apart by how many locks their thread holds, in
// an
//   order that is drawn for each execution; now and then any goes on. So there are executions in
//   which every thread that is about to take a second lock is late, as in DeadlockFuzzer (Joshi,
//   Park, Sen, Naik, PLDI'09), which first looks for locks that may be a cycle; we let chance find
//   out, and what lags may also be a signal, or an unlock.
//
// Nothing is drawn by the number of a thread, which depends on who met it first, but by its path:
// the how-manieth child of whom. So workers may share the executions of a seed in any way.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "objects/accesses.h"
#include "objects/world.h"

namespace mazurka {

// Two draw nothing: the first enabled choice goes on; whoever moved last goes on, if it can.
enum class Policy : uint8_t { First, Stay, Random, Pct, Pos, Surw, Lag };

inline constexpr uint32_t kMostChanges = 31;  // of priorities, in an execution
inline constexpr uint32_t kMostInteresting = 32;
inline constexpr uint32_t kMostWeighed = 128;  // threads of which it is known what they will do

// What earlier executions have taught.
struct SamplingRule {
  uint64_t version = 0;  // another one for another content; 0: nothing is known
  uint32_t length = 0;   // steps of the longest
  uint32_t change_count = 0;
  uint32_t object_count = 0;
  uint32_t padding = 0;
  ObjectId objects[kMostInteresting] = {};
  // How many operations each thread does on each of them.
  uint16_t events[kMostInteresting][kMostWeighed] = {};
  ThreadId creators[kMostWeighed] = {};
};

struct Sampler {
  Policy policy = Policy::First;
  uint8_t padding[3] = {};
  uint32_t limit = 0;  // of what is in use in the arrays below
  uint64_t seed = 0;

  uint64_t step = 0;
  uint64_t pauses = 0;
  uint64_t best_score = 0;
  uint64_t held_cost = 0;
  Choice best;
  Choice held;
  uint32_t changes[kMostChanges + 1] = {};
  // Surw
  uint32_t interest = 0;  // which object, or SamplingRule::object_count: all
  uint32_t intended_is_old = 0;
  ThreadId intended = kNoThread;
  uint16_t more_padding[3] = {};
  uint32_t weights[kMostWeighed] = {};
  // By thread.
  uint64_t keys[kMaxThreads] = {};        // 0: not met yet
  uint64_t priorities[kMaxThreads] = {};  // 0: to be drawn
  uint32_t children[kMaxThreads] = {};    // that were met
  uint32_t left[kMaxThreads] = {};        // interesting operations; of Lag, locks that it holds

  // Before the first step. `walk`: the seed.
  void begin(const SamplingRule& rule, Policy wanted, uint64_t walk);

  // One choice: first `look`, then `offer` for each that is enabled and awake, then `take`, which
  // gives kNoThread if there was none.
  void look(const SamplingRule& rule, const World& world);
  void offer(const SamplingRule& rule, const World& world, Choice choice);
  Choice take();

  // After each choice, before it is applied. `room` is for kMaxStepAccesses.
  void note(const SamplingRule& rule, const World& before, Choice choice,
            const AccessList& accesses, Access* room);

 private:
  uint64_t lag_of(const World& world, Choice choice, uint64_t way) const;
  static void count_locks(const Operation& op, uint32_t& held);
  uint64_t draw(uint64_t purpose, uint64_t key) const;
  uint64_t priority_of(ThreadId thread) const;
  void meet(const SamplingRule& rule, const World& world, uint32_t thread);
  void forget_dependent(const World& before, ThreadId mover, const AccessList& accesses,
                        Access* room);
  bool is_interesting(const SamplingRule& rule, const Operation& op) const;
  bool is_interesting(const SamplingRule& rule, ObjectId object) const;
  uint32_t events_of(const SamplingRule& rule, uint32_t thread) const;
  void draw_intended(const SamplingRule& rule, const World& world);
};

}  // namespace mazurka
