#include "cli/unguarded_waits.h"

#include <algorithm>
#include <set>

#include "explore/findings/findings.h"
#include "program/binary/call_loops.h"

namespace mazurka {
namespace {

constexpr int kMostLookedAt = 200;
constexpr size_t kMostPlaces = 32;

// The call in the program's own code that led to the wait; 0: none is known.
uint64_t own_call(const std::vector<uint64_t>& stack, SourceMap& source) {
  for (const uint64_t pc : stack) {
    const std::vector<Place> frames = source.frames(pc, true);
    // Inlined functions of a library are the program's code: they are in its file.
    if (!frames.empty() && frames.back().in_user_code) return pc;
  }
  return 0;
}

const LoadedFile* file_of(const std::vector<LoadedFile>& files, uint64_t pc) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const LoadedFile& file) {
    return pc >= file.start && pc < file.end;
  });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

void UnguardedWaits::note(const Execution& execution) {
  if (looked_at_.load(std::memory_order_relaxed) >= kMostLookedAt) return;
  ++looked_at_;
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < execution.transitions.size(); ++i) {
    const Transition& made = execution.transitions[i];
    if (made.op.kind != OpKind::CondWait || schedules_.contains(made.place.pc) ||
        schedules_.size() == kMostPlaces)
      continue;
    schedules_[made.place.pc] = schedule_of(execution, static_cast<uint32_t>(i + 1));
  }
}

std::vector<std::string> UnguardedWaits::find(Target& target, const Limits& limits) const {
  const std::lock_guard lock(mutex_);
  const std::vector<LoadedFile> files = target.files();
  SourceMap source(files);
  std::set<std::string> found;
  for (const auto& [place, schedule] : schedules_) {
    Plan plan;
    plan.prefix = schedule;
    plan.limits = limits;
    plan.limits.depth = static_cast<uint32_t>(schedule.size());
    plan.stacks = true;
    Execution again;
    if (!target.program().run(plan, again).ok() || again.transitions.size() < schedule.size())
      continue;
    const uint64_t call = own_call(again.transitions[schedule.size() - 1].place.stack, source);
    const LoadedFile* const file = call != 0 ? file_of(files, call) : nullptr;
    if (file == nullptr || may_come_back(file->path, call - file->base)) continue;
    const std::vector<Place> frames = source.frames(call, true);
    if (frames[0].line != 0) found.insert(to_string(frames[0]));
  }
  return {found.begin(), found.end()};
}

}  // namespace mazurka
