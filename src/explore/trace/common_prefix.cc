#include "explore/trace/common_prefix.h"

#include <algorithm>
#include <vector>

#include "explore/trace/same_words.h"

namespace mazurka {
namespace {

bool is_same(const std::vector<Access>& a, const std::vector<Access>& b) {
  return a.size() == b.size() &&
         same_words<uint32_t>(a.data(), b.data(), a.size() * sizeof(Access));
}

bool is_same(const ObjectSetting& a, const ObjectSetting& b) {
  return a.object == b.object && same_words<uint64_t>(&a.state, &b.state, sizeof a.state);
}

bool is_same(const ThreadCreation& a, const ThreadCreation& b) {
  return a.created == b.created && a.creator == b.creator && a.process == b.process &&
         a.forgotten == b.forgotten;
}

template <typename T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return is_same(x, y); });
}

bool is_empty(const Invisible& invisible) {
  return invisible.settings.empty() && invisible.creations.empty();
}

bool is_same(const Invisible& a, const Invisible& b) {
  return are_same(a.settings, b.settings) && are_same(a.creations, b.creations);
}

// What few transitions have.
bool has_same_rest(const Transition& a, const Transition& b) {
  if (a.has_no_more && b.has_no_more) return true;
  return a.parts.empty() && b.parts.empty() &&
         ((is_empty(a.after) && is_empty(b.after)) || is_same(a.after, b.after));
}

bool is_same(const Transition& a, const Transition& b) {
  return a.choice == b.choice && a.process == b.process &&
         a.accesses_everything == b.accesses_everything &&
         same_words<uint64_t>(&a.op, &b.op, sizeof a.op) &&
         same_words<uint64_t>(&a.effect, &b.effect, sizeof a.effect) &&
         is_same(a.accesses, b.accesses) && has_same_rest(a, b);
}

uint32_t most_in_common(const Execution& a, const Execution& b) {
  const size_t both = std::min(a.transitions.size(), b.transitions.size());
  return both == 0 ? 0 : static_cast<uint32_t>(both - 1);
}

bool have_same_threads(const Execution& a, const Execution& b) {
  return std::equal(a.threads.begin(), a.threads.end(), b.threads.begin(), b.threads.end(),
                    [](const ThreadAtEnd& x, const ThreadAtEnd& y) { return x.id == y.id; });
}

// What each thread does first after so many transitions; by thread. Null if nothing: not those whom
// the execution does not list.
void find_next(const Execution& execution, uint32_t count, std::vector<const Operation*>& next) {
  next.resize(kMaxThreads);
  for (const ThreadAtEnd& thread : execution.threads) {
    next[index(thread.id)] = thread.stands_before_operation() ? &thread.pending : nullptr;
  }
  for (size_t i = execution.transitions.size(); i > count; --i) {
    const Transition& made = execution.transitions[i - 1];
    next[index(made.choice.thread)] = &made.op;
  }
}

// Requires the same threads.
bool stand_before_the_same(const Execution& a, const Execution& b, uint32_t count) {
  thread_local std::vector<const Operation*> of_a;
  thread_local std::vector<const Operation*> of_b;
  find_next(a, count, of_a);
  find_next(b, count, of_b);
  for (size_t i = 0; i < a.threads.size(); ++i) {
    const Operation* x = of_a[index(a.threads[i].id)];
    const Operation* y = of_b[index(a.threads[i].id)];
    if (x != nullptr && y != nullptr && !same_words<uint64_t>(x, y, sizeof *x)) return false;
    if (x == nullptr && y == nullptr && a.threads[i].status != b.threads[i].status) return false;
    if ((x == nullptr) != (y == nullptr)) return false;
  }
  return true;
}

}  // namespace

uint32_t common_choices(const Execution& a, const Execution& b) {
  const uint32_t most = most_in_common(a, b);
  uint32_t count = 0;
  while (count < most && a.transitions[count].choice == b.transitions[count].choice) ++count;
  return count;
}

std::optional<uint32_t> common_prefix(const Execution& a, const Execution& b) {
  if (!have_same_threads(a, b) || !is_same(a.before, b.before)) return std::nullopt;
  const uint32_t most = most_in_common(a, b);
  uint32_t count = 0;
  while (count < most && is_same(a.transitions[count], b.transitions[count])) ++count;
  if (!stand_before_the_same(a, b, count)) return std::nullopt;
  return count;
}

}  // namespace mazurka
