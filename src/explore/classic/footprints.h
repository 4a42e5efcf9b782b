// What each thread may still access, learned from executions: the future that persistent sets need
// and that a program's text does not tell. Starts empty; a search assumes it to be true, and must
// start again when an execution shows more.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/bytes.h"
#include "execution/execution.h"
#include "objects/accesses.h"

namespace mazurka {

// A join or a wait for one child is enabled only once its target has ended. Such an access to a
// thread's life does not meet what that thread itself does.
inline constexpr uint8_t kAwaited = 1;
constexpr Resource awaited_resource(ThreadId id) {
  return {Resource::Kind::Thread, kAwaited, 0, index(id)};
}
bool awaits_one_end(const Operation& op);

class Footprints {
 public:
  // `by_transition`: also what each transition by itself accesses. Of a composed one that is not
  // known from its operation. Stoller's algorithm 2-MLD' takes for it all that the thread may ever
  // access and that the locks allow which it holds or is about to take. We learn it for each number
  // of a transition, its operation and the locks held: what was accessed under these locks is
  // allowed by them, so that is never more.
  explicit Footprints(bool by_transition = false) : by_transition_(by_transition) {}

  // Takes in all that the execution did and stood before. Returns whether that was more than known.
  bool learn(const Execution& execution);

  // Whether anybody brings signals about: then whoever sends one may enable a thread.
  bool has_signals() const { return has_signals_; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

  // Whether the thread, after so many transitions, may still do something that conflicts with the
  // access. `is_there`: by thread, whether it exists now: the future of those that it may still
  // create belongs to it until then.
  bool conflicts(ThreadId thread, uint32_t transitions, const Access& access,
                 const std::vector<bool>& is_there) const;

  // Adds what the thread's next transition, which begins with this operation, was seen to access
  // where the thread held the same locks. False if it was never seen.
  bool add_next(const World& world, ThreadId thread, const Operation& op, AccessList& out) const;

 private:
  static constexpr uint32_t kModes = 3;
  // For each mode: 1 + the number of the last transition that had such an access; 0 for none. So
  // what may still come after n transitions is what has a number above n.
  struct Last {
    uint32_t of[kModes] = {};
  };
  // A transition by what is known of it before it happens.
  struct TransitionKey {
    uint32_t number = 0;  // from 1
    OpKind kind = OpKind::None;
    ObjectId object = kNoObject;
    ObjectId second = kNoObject;
    std::vector<ObjectId> locks;  // that the thread holds; sorted

    friend auto operator<=>(const TransitionKey&, const TransitionKey&) = default;
  };
  static TransitionKey transition_key(const World& world, ThreadId thread, const Operation& op);

  struct Thread {
    std::map<uint64_t, Last> accesses;       // by resource
    std::map<ThreadId, uint32_t> creations;  // 1 + the last transition after which it was created
    std::map<TransitionKey, std::vector<Access>> transitions;  // with by_transition_
  };

  Thread& thread(ThreadId id);
  void note(ThreadId id, const Access& access, uint32_t number, const Operation& op);
  void note_creations(const Invisible& invisible, const std::vector<uint32_t>& transitions);
  bool raise(uint32_t& last, uint32_t to);
  void note_signals(const Execution& execution);
  void note_transitions(const Execution& execution);
  void note_transition(const Transition& transition, TransitionKey key);

  bool by_transition_;
  std::vector<Thread> threads_;
  bool grown_ = false;
  bool has_signals_ = false;
};

}  // namespace mazurka
