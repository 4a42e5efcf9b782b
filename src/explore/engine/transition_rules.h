// What a search learns about a program so that releases can be invisible
// (schedule/invisible_first.h) and transitions composed (schedule/composed.h): which locks somebody
// tries, times or destroys, which memory several threads use, and whether there are several
// processes. A search that has learned more than it was based on starts anew: search.cc does that.
// The last one is sound: cut the program where it shows more than is assumed; the search is right
// for what is left, so it would have come to such a cut if there were one. So it is with memory
// that was taken to be of one thread (Sharing::Tentative).
//
// Why several processes make all releases visible: one of them may end, or be copied, while a
// thread of it holds a lock, and the others can see what that leaves behind. In one process nobody
// is left to see it. So do yields that wait: they go on when somebody has moved, and a release is a
// move.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "execution/execution.h"
#include "execution/remarks.h"

namespace mazurka {

class TransitionRules {
 public:
  explicit TransitionRules(bool composed) : composed_(composed) {}

  // Takes in what the execution did and stood before. Returns whether that was more than known.
  bool learn(const Execution& execution);

  // For the next search; null if each operation is a transition by itself.
  std::shared_ptr<const TransitionRule> rule();

  // Memory that was tentatively unshared and is shared; not again those that were given before.
  std::vector<uint64_t> take_shared() { return std::exchange(shared_, {}); }

  // Whether an execution has violated the locking discipline.
  bool is_violated() const { return is_violated_; }
  // Whether memory was used by several threads that the user says is unshared.
  bool is_wrongly_unshared() const { return is_wrongly_unshared_; }

  // Whether a call that the user says is one operation is not.
  bool is_torn() const { return is_torn_; }

  // What a user should know.
  Remarks<Note> notes() const;

 private:
  bool learn(const Operation& op);
  bool learn(const MemoryWord& word);
  bool learn(const MemoryConflict& conflict);

  const bool composed_;
  uint32_t looked_at_count_ = 0;
  LockMarks looked_at_;
  std::map<std::pair<uint32_t, uint64_t>, size_t> known_words_;  // where they are in `words_`
  std::vector<MemoryWord> words_;
  bool has_processes_ = false;
  bool waits_for_others_ = false;
  bool has_signals_ = false;
  bool is_violated_ = false;
  bool is_wrongly_unshared_ = false;
  bool is_torn_ = false;
  std::vector<uint64_t> shared_;  // addresses
};

}  // namespace mazurka
