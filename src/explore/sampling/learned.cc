#include "explore/sampling/learned.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace mazurka {
namespace {

constexpr uint64_t kLookedAt = 4096;

uint16_t mean(uint64_t sum, uint64_t count) {
  const uint64_t rounded = (sum + count / 2) / std::max<uint64_t>(count, 1);
  return static_cast<uint16_t>(
      std::clamp<uint64_t>(rounded, 1, std::numeric_limits<uint16_t>::max()));
}

// The same in all runs, whoever met an object first.
uint64_t hash_of_name(const std::string& name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

void Learned::learn(const Execution& execution, uint64_t number) {
  const std::lock_guard lock(mutex_);
  threads_ = std::max(threads_, static_cast<uint32_t>(execution.threads.size()));
  // One that was cut at a depth would have been longer.
  const auto length = static_cast<uint32_t>(execution.transitions.size());
  steps_ = std::max(steps_, length + (execution.end == End::DepthReached ? 1 : 0));
  has_pauses_ = has_pauses_ || mazurka::has_pauses(execution);
  if (number < kLookedAt) learn_objects(execution);
}

void Learned::learn_objects(const Execution& execution) {
  ++looked_at_;
  const auto learn_creations = [&](const Invisible& invisible) {
    for (const ThreadCreation& made : invisible.creations) creators_[made.created] = made.creator;
  };
  learn_creations(execution.before);
  for (const Transition& made : execution.transitions) {
    learn_creations(made.after);
    for (const ObjectId id : {made.op.object, made.op.second}) {
      if (id == kNoObject) continue;
      OnObject& object = objects_[id];
      ++object.events[made.choice.thread];
      ++object.all;
      object.is_changed =
          object.is_changed ||
          std::any_of(made.accesses.begin(), made.accesses.end(), [&](const Access& access) {
            return access.resource.kind == Resource::Kind::Object &&
                   access.resource.index == index(id) && access.mode != Mode::Read;
          });
    }
  }
}

std::shared_ptr<const SamplingRule> Learned::rule(const Program& program,
                                                  uint32_t bug_depth) const {
  static std::atomic<uint64_t> versions = 0;
  auto rule = std::make_shared<SamplingRule>();
  rule->version = ++versions;
  rule->length = steps_;
  rule->change_count = std::min(bug_depth - 1, kMostChanges);
  // Those with most events, in an order by names.
  std::vector<std::tuple<uint64_t, uint64_t, ObjectId>> shared;
  for (const auto& [id, object] : objects_) {
    if (object.events.size() < 2 || !object.is_changed) continue;
    shared.emplace_back(std::numeric_limits<uint64_t>::max() - object.all,
                        hash_of_name(program.object_name(id)), id);
  }
  std::sort(shared.begin(), shared.end());
  if (shared.size() > kMostInteresting) shared.resize(kMostInteresting);
  std::sort(shared.begin(), shared.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<1>(a), std::get<2>(a)) < std::tie(std::get<1>(b), std::get<2>(b));
  });
  for (const auto& [all, name, id] : shared) {
    for (const auto& [thread, sum] : objects_.at(id).events) {
      if (index(thread) < kMostWeighed)
        rule->events[rule->object_count][index(thread)] = mean(sum, looked_at_);
    }
    rule->objects[rule->object_count++] = id;
  }
  for (uint32_t i = 0; i < kMostWeighed; ++i) {
    const auto known = creators_.find(ThreadId(i));
    rule->creators[i] = known == creators_.end() ? kNoThread : known->second;
  }
  return rule;
}

}  // namespace mazurka
