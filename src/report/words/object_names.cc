#include "report/words/object_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/findings/findings.h"

namespace mazurka {
namespace {

constexpr size_t kMostLooks = 24;

// Calls f(object) for what the operation works on.
template <typename F>
void each_object(const Operation& op, const std::vector<OpPart>& parts, F f) {
  if (op.object != kNoObject) f(op.object);
  if (op.second != kNoObject) f(op.second);
  for (const OpPart& part : parts) {
    if (part.object != kNoObject) f(part.object);
  }
}

}  // namespace

std::string ObjectNames::object(ObjectId id) const {
  const auto known = objects_.find(id);
  return known == objects_.end() ? "" : known->second;
}

ObjectNames::MemoryKey ObjectNames::key_of(const MemoryConflict& conflict) {
  return {conflict.where.storage, conflict.where.thread, conflict.where.count, conflict.address};
}

std::string ObjectNames::memory(const MemoryConflict& conflict) const {
  const auto known = memory_.find(key_of(conflict));
  return known == memory_.end() ? "" : known->second;
}

// State i is the one after i transitions. An object is surely there while a thread stands before an
// operation on it, and between two such.
std::vector<ObjectNames::Sought> ObjectNames::sought_in(const Execution& execution,
                                                        size_t length) const {
  std::map<ObjectId, Sought> found;
  const auto use = [&](ObjectId id, size_t from, size_t to) {
    if (objects_.count(id) != 0) return;
    const auto memory = program_.object_memory(id);
    if (!memory || memory->place.storage == Storage::Module) return;
    Sought& sought = found.try_emplace(id, Sought{id, nullptr, *memory, from, to}).first->second;
    sought.first = std::min(sought.first, from);
    sought.last = std::max(sought.last, to);
  };
  std::map<ThreadId, size_t> since;  // how long the thread has stood before its next operation
  const std::vector<Transition>& made = execution.transitions;
  for (size_t i = 0; i < made.size(); ++i) {
    size_t& from = since.try_emplace(made[i].choice.thread, i).first->second;
    if (from <= length) {
      each_object(made[i].op, made[i].parts,
                  [&](ObjectId id) { use(id, from, std::min(i, length)); });
    }
    from = i + 1;
  }
  for (const ThreadAtEnd& thread : execution.threads) {
    if (!thread.stands_before_operation()) continue;
    const size_t from = since.try_emplace(thread.id, length).first->second;
    if (from > length) continue;
    each_object(thread.pending, thread.parts, [&](ObjectId id) { use(id, from, length); });
  }
  std::vector<Sought> all;
  all.reserve(found.size());
  for (auto& [id, sought] : found) all.push_back(sought);
  for (const MemoryConflict& conflict : execution.conflicts) {
    const bool is_named = memory_.count(key_of(conflict)) != 0;
    const Storage storage = conflict.where.storage;
    if (is_named || (storage != Storage::Heap && storage != Storage::Stack)) continue;
    const size_t at = std::min<size_t>(conflict.position, length);
    all.push_back({kNoObject,
                   &conflict,
                   {conflict.where, conflict.address, conflict.second.process},
                   at > 0 ? at - 1 : 0,
                   at});
  }
  return all;
}

void ObjectNames::learn(const Execution& execution, size_t length, const Limits& limits,
                        const std::vector<LoadedFile>& files) {
  length = std::min(length, execution.transitions.size());
  if (finder_ == nullptr || files.size() != file_count_) {
    file_count_ = files.size();
    finder_ = std::make_unique<ObjectFinder>(files);
  }
  for (const auto& [id, name] : objects_) taken_.insert(name);
  std::vector<Sought> open = sought_in(execution, length);
  for (size_t looks = 0; !open.empty() && looks < kMostLooks; ++looks) {
    if (stop_ != nullptr && stop_->is_overdue()) break;
    size_t at = 0;
    for (const Sought& sought : open) at = std::max(at, sought.last);
    if (!look_at(execution, at, limits, open)) break;
  }
}

// Whatever has no name there is looked for once more where it was used first.
bool ObjectNames::look_at(const Execution& execution, size_t at, const Limits& limits,
                          std::vector<Sought>& open) {
  Plan plan;
  plan.prefix = schedule_of(execution, static_cast<uint32_t>(at));
  plan.limits = limits;
  plan.limits.depth = static_cast<uint32_t>(at);
  plan.lists_enabled = false;
  std::vector<Sought> here;
  for (const Sought& sought : open) {
    if (sought.first <= at && at <= sought.last) here.push_back(sought);
  }
  const Result<void> looked = look_(plan, [&](const StandingState& state) { read(state, here); });
  if (!looked) return false;
  std::vector<Sought> rest;
  for (Sought& sought : open) {
    const bool was_here = sought.first <= at && at <= sought.last;
    const bool is_named = sought.conflict != nullptr ? memory_.count(key_of(*sought.conflict)) != 0
                                                     : objects_.count(sought.object) != 0;
    if (is_named) continue;
    if (!was_here) {
      rest.push_back(sought);
    } else if (sought.first < at) {
      sought.last = sought.first;
      rest.push_back(sought);
    } else if (sought.conflict == nullptr) {
      objects_[sought.object] = "";
    }
  }
  open = std::move(rest);
  return true;
}

void ObjectNames::read(const StandingState& state, std::vector<Sought>& here) {
  std::set<ProcessId> processes;
  for (const Sought& sought : here) processes.insert(sought.memory.process);
  for (const ProcessId process : processes) {
    std::vector<FrameState> frames;
    for (const StandingThread& thread : state.threads) {
      if (thread.process == process)
        frames.insert(frames.end(), thread.frames.begin(), thread.frames.end());
    }
    const ReadMemory memory = [&](uint64_t address, void* to, size_t size) {
      return state.read(process, address, to, size);
    };
    std::vector<const Sought*> wanted;
    std::vector<SoughtPlace> places;
    for (const Sought& sought : here) {
      if (sought.memory.process != process) continue;
      const bool on_heap = sought.memory.place.storage == Storage::Heap;
      wanted.push_back(&sought);
      places.push_back({sought.memory.address,
                        on_heap ? sought.memory.address - sought.memory.place.offset : 0});
    }
    const auto found = finder_->find(places, frames, memory);
    for (size_t i = 0; i < wanted.size(); ++i) name(*wanted[i], found[i]);
  }
}

void ObjectNames::name(const Sought& sought, const std::vector<Expression>& expressions) {
  if (expressions.empty()) return;
  if (sought.conflict != nullptr) {
    memory_[key_of(*sought.conflict)] = expressions[0].text;
    return;
  }
  std::string chosen;
  for (const Expression& expression : expressions) {
    if (expression.cost <= expressions[0].cost + 1 && taken_.count(expression.text) == 0) {
      chosen = expression.text;
      break;
    }
  }
  for (int i = 2; chosen.empty(); ++i) {
    const std::string numbered = fmt::format("{} (#{})", expressions[0].text, i);
    if (taken_.count(numbered) == 0) chosen = numbered;
  }
  taken_.insert(chosen);
  objects_[sought.object] = chosen;
}

}  // namespace mazurka
