#include "sim/views/memory_view.h"

#include "sim/server/json.h"
#include "sim/standing_state.h"

namespace mazurka {
namespace {

constexpr size_t kMostFrames = 8;  // of the user's own functions

// A function may be on the stack several times: what counts is how many called it.
std::string scope_of(const std::string& function, size_t place, size_t count) {
  return function + "#" + std::to_string(count - place);
}

using Known = std::map<std::string, std::string>;  // by name: values of the step before

void note(const std::string& scope, const std::vector<ShownVariable>& variables, Known& out) {
  for (const ShownVariable& variable : variables) out[scope + "/" + variable.name] = variable.value;
}

Json variables_json(const std::string& scope, const std::vector<ShownVariable>& variables,
                    const Known& before) {
  Json all = Json::array();
  for (const ShownVariable& variable : variables) {
    const auto old = before.find(scope + "/" + variable.name);
    all.push_back({{"name", variable.name},
                   {"type", variable.type},
                   {"value", variable.value},
                   {"changed", old != before.end() && old->second != variable.value}});
  }
  return all;
}

}  // namespace

void MemoryView::read(const StandingProgram& program, ThreadId thread,
                      const std::vector<std::string>& watches, Naming& naming, Values& out) {
  out = {};
  const ProcessId process = program.process_of(thread);
  const ReadMemory memory = [&](uint64_t address, void* to, size_t size) {
    return program.read(process, address, to, size);
  };
  const FrameState* innermost = nullptr;
  const std::vector<FrameState> states = frame_states(program.frames(thread));
  for (const FrameState& state : states) {
    if (!variables_->knows(state) || out.frames.size() == kMostFrames) continue;
    if (innermost == nullptr) innermost = &state;
    const Json place = naming.place({state.pc, {state.pc}});
    out.frames.push_back({place.is_null() ? "" : place["function"].get<std::string>(),
                          variables_->locals(state, memory)});
  }
  out.globals = variables_->globals(states.empty() ? nullptr : &states[0], memory);
  for (const std::string& watch : watches)
    out.watches.push_back(variables_->evaluate(watch, innermost, memory));
  out.is_known = true;
}

Result<MemoryView::Values> MemoryView::look(const Run& run, uint32_t at, ThreadId thread,
                                            const std::vector<std::string>& watches,
                                            Naming& naming) {
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
  const Result<void> looked = subject_.look(plan, [&](const StandingProgram& program) {
    read(program, thread, watches, naming, values);
  });
  if (!looked) return looked.error();
  if (!values.is_known)
    return Error{"the program did not stand still at this step: its memory cannot be read"};
  return values;
}

Result<Json> MemoryView::json(const Run& run, uint32_t at, ThreadId thread,
                              const std::vector<std::string>& watches, Naming& naming) {
  Known before;
  if (at > 0) {
    const Result<Values> old = look(run, at - 1, thread, watches, naming);
    if (old) {
      const size_t count = old->frames.size();
      for (size_t i = 0; i < count; ++i) {
        note(scope_of(old->frames[i].function, i, count), old->frames[i].variables, before);
      }
      note("", old->globals, before);
      note("watch", old->watches, before);
    }
  }
  const Result<Values> now = look(run, at, thread, watches, naming);
  if (!now) return now.error();
  Json frames = Json::array();
  for (size_t i = 0; i < now->frames.size(); ++i) {
    const Frame& frame = now->frames[i];
    frames.push_back({{"thread", index(thread)},
                      {"frame", i},
                      {"function", frame.function},
                      {"variables", variables_json(scope_of(frame.function, i, now->frames.size()),
                                                   frame.variables, before)}});
  }
  return Json{{"frames", std::move(frames)},
              {"globals", variables_json("", now->globals, before)},
              {"watches", variables_json("watch", now->watches, before)}};
}

}  // namespace mazurka
