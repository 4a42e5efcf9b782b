#include "kinds/sync/takings.h"

namespace mazurka {

void Takings::step(ThreadId thread, const Operation& op, const Parts& parts, const Effect& effect) {
  if (effect.error != 0) return;
  if (op.kind == OpKind::SemWait) --given_[op.object][thread];
  if (op.kind == OpKind::SemPost) ++given_[op.object][thread];
  if (op.kind != OpKind::Semop) return;
  for (const OpPart& part : parts) given_[part.object][thread] += part.sem.delta;
}

std::vector<ThreadId> Takings::takers(ObjectId semaphore, ThreadId waiting) const {
  std::vector<ThreadId> threads;
  const auto known = given_.find(semaphore);
  if (known == given_.end()) return threads;
  for (const auto& [thread, given] : known->second) {
    if (given < 0 && thread != waiting) threads.push_back(thread);
  }
  return threads;
}

}  // namespace mazurka
