#include "sim/views/memory_view.h"

#include <algorithm>

#include "sim/server/json.h"
#include "sim/standing_state.h"

namespace mazurka {
namespace {

constexpr size_t kMostFrames = 8;  // of the user's own functions

using Known = std::map<std::string, std::string>;  // by path: values of the step before

// A function may be on the stack several times: what counts is how many calls of it are around it.
std::string scope_of(const std::string& function, uint64_t callers) {
  return function + "#" + std::to_string(callers) + kPathSeparator;
}

const std::string kGlobalScope = std::string("::") + kPathSeparator;
const std::string kWatchScope = std::string("watch") + kPathSeparator;

void note(const std::vector<ShownVariable>& variables, Known& out) {
  for (const ShownVariable& variable : variables) {
    out[variable.path] = variable.value;
    note(variable.parts, out);
  }
}

Json variables_json(const std::vector<ShownVariable>& variables, const Known& before) {
  Json all = Json::array();
  for (const ShownVariable& variable : variables) {
    const auto old = before.find(variable.path);
    Json& json =
        all.emplace_back(Json{{"name", variable.name},
                              {"type", variable.type},
                              {"value", variable.value},
                              {"path", variable.path},
                              {"has_parts", variable.has_parts},
                              {"changed", old != before.end() && old->second != variable.value}});
    if (!variable.parts.empty()) json["parts"] = variables_json(variable.parts, before);
  }
  return all;
}

}  // namespace

void MemoryView::read(const StandingProgram& program, const Wish& wish, Values& out) {
  out = {};
  const ProcessId process = program.process_of(wish.thread);
  const ReadMemory memory = [&](uint64_t address, void* to, size_t size) {
    return program.read(process, address, to, size);
  };
  const std::vector<FrameState> states = frame_states(program.frames(wish.thread));
  std::vector<FrameCall> calls;
  for (const FrameState& state : states) {
    for (FrameCall& call : variables_->calls(state, memory)) calls.push_back(std::move(call));
  }
  const FrameCall* meant = calls.empty() ? nullptr : &calls[0];
  for (size_t i = 0; i < calls.size(); ++i) {
    const auto same = [&](const FrameCall& other) { return other.function == calls[i].function; };
    const auto callers = static_cast<uint64_t>(
        std::count_if(calls.begin() + static_cast<std::ptrdiff_t>(i) + 1, calls.end(), same));
    if (calls[i].function == wish.function && callers == wish.callers) meant = &calls[i];
    if (i >= kMostFrames) continue;
    out.frames.push_back(
        {calls[i].function, callers,
         variables_->locals(calls[i], scope_of(calls[i].function, callers), memory, wish.opened)});
  }
  const FrameState* const innermost = states.empty() ? nullptr : &states[0];
  out.globals = variables_->globals(innermost, kGlobalScope, memory, wish.opened);
  for (const std::string& watch : wish.watches) {
    out.watches.push_back(
        variables_->evaluate(watch, meant, innermost, kWatchScope, memory, wish.opened));
  }
  out.is_known = true;
}

Result<MemoryView::Values> MemoryView::look(const Run& run, uint32_t at, const Wish& wish) {
  std::vector<LoadedFile> files = subject_.files();
  if (variables_ == nullptr || files.size() != file_count_) {
    file_count_ = files.size();
    variables_ = std::make_unique<Variables>(std::move(files));
  }
  Plan plan;
  plan.prefix = Runs::schedule_until(run, at);
  plan.limits = subject_.header.limits;
  plan.limits.depth = at;
  plan.lists_enabled = false;
  Values values;
  const Result<void> looked =
      subject_.look(plan, [&](const StandingProgram& program) { read(program, wish, values); });
  if (!looked) return looked.error();
  if (!values.is_known)
    return Error{"the program did not stand still at this step: its memory cannot be read"};
  return values;
}

Result<Json> MemoryView::json(const Run& run, uint32_t at, const Wish& wish) {
  Known before;
  if (at > 0) {
    const Result<Values> old = look(run, at - 1, wish);
    if (old) {
      for (const Frame& frame : old->frames) note(frame.variables, before);
      note(old->globals, before);
      note(old->watches, before);
    }
  }
  const Result<Values> now = look(run, at, wish);
  if (!now) return now.error();
  Json frames = Json::array();
  for (size_t i = 0; i < now->frames.size(); ++i) {
    const Frame& frame = now->frames[i];
    frames.push_back({{"thread", index(wish.thread)},
                      {"frame", i},
                      {"function", frame.function},
                      {"callers", frame.callers},
                      {"variables", variables_json(frame.variables, before)}});
  }
  return Json{{"frames", std::move(frames)},
              {"globals", variables_json(now->globals, before)},
              {"watches", variables_json(now->watches, before)}};
}

}  // namespace mazurka
