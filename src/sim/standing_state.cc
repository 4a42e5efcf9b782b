#include "sim/standing_state.h"

namespace mazurka {
namespace {

// DWARF's numbers.
constexpr int kRbx = 3, kRbp = 6, kRsp = 7;

}  // namespace

std::vector<FrameState> frame_states(const std::vector<LookFrame>& frames) {
  std::vector<FrameState> all;
  for (size_t i = 0; i < frames.size(); ++i) {
    const LookFrame& frame = frames[i];
    FrameState state;
    state.pc = frame.pc;
    if (i + 1 < frames.size()) state.cfa = frames[i + 1].stack_pointer;
    state.registers[kRbx] = frame.rbx;
    state.registers[kRbp] = frame.rbp;
    state.registers[kRsp] = frame.stack_pointer;
    state.registers[12] = frame.r12;
    state.registers[13] = frame.r13;
    state.registers[14] = frame.r14;
    state.registers[15] = frame.r15;
    state.thread_pointer = frame.thread_pointer;
    all.push_back(state);
  }
  return all;
}

StandingState state_of(const StandingProgram& program) {
  StandingState state;
  for (const ThreadId id : program.threads())
    state.threads.push_back({program.process_of(id), frame_states(program.frames(id))});
  state.read = [&program](ProcessId process, uint64_t address, void* to, size_t size) {
    return program.read(process, address, to, size);
  };
  return state;
}

LookAt look_with(std::function<Result<void>(const Plan&, const Looker&)> look) {
  return
      [look = std::move(look)](const Plan& plan, const std::function<void(StandingState)>& looker) {
        return look(plan, [&](const StandingProgram& program) { looker(state_of(program)); });
      };
}

}  // namespace mazurka
