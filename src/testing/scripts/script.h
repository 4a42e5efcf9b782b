// A tiny concurrent program, written as data: what ScriptedProgram runs. Its threads do visible
// operations on numbered objects, calculate with a few registers of their own, branch on the
// results, and create each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "objects/operation.h"
#include "objects/world.h"

namespace mazurka {

inline constexpr uint8_t kRegisters = 4;  // of each thread; zero at first
inline constexpr uint8_t kNoRegister = UINT8_MAX;

struct Instruction {
  enum class Kind : uint8_t {
    Operate,      // stand before `op`; what it did is the last effect then
    GoTo,         // go on at instruction `to` of this body, if the test holds
    Calculate,    // change register `to`
    Spawn,        // create a thread that runs body `to`
    Fork,         // create a process whose first thread runs body `to`
    LeaveThread,  // pthread_exit
    EndProcess,   // exit; `value` is the wait status
  };
  // Of the last effect, against `value`.
  enum class Test : uint8_t { Always, ErrorIs, ErrorIsNot, ValueIs, ValueIsNot };
  // With `value`: what a register becomes. Keep: the value of the last effect.
  enum class Calculation : uint8_t { Set, Add, Remainder, Keep };

  Kind kind = Kind::Operate;
  Test test = Test::Always;
  Calculation calculation = Calculation::Set;
  bool takes_value =
      false;  // Operate: op.value is the value of the last effect (a barrier's round)
  // Operate: op.value is the value of this register; op.object is so many places further on.
  uint8_t value_from = kNoRegister;
  uint8_t object_plus = kNoRegister;
  uint32_t child = 0;  // Operate: op.target is the child-th that this thread created; 0: none
  uint32_t to = 0;
  int64_t value = 0;
  Operation op;  // parts are places in Script::parts; a SignalSend without a target is to its own
                 // thread or process
};

// Running off its end: a first thread returns from main, any other from its start routine.
using Body = std::vector<Instruction>;

inline constexpr uint32_t kNoBody = UINT32_MAX;

struct ScriptObject {
  ObjectKind kind = ObjectKind::None;
  // A semaphore's or variable's value, a barrier's count, whether a name exists, the pages of a
  // pipe, the messages of a POSIX queue, or less the bytes of one of System V; of a description 1 +
  // the channel that it reads, or -1 - the one that it writes; 0 if that shows later. Whether the
  // name of a file exists; `reads` is the data that it leads to.
  int64_t value = 0;
  MutexType mutex_type = MutexType::Normal;
  bool robust = false;
  // A socket: its stage, its channels, and whether it is there from the start. A channel of a
  // socket: the same stage, whether it is one of the internet (`robust`), and which end of it is
  // open: that for reading, or (not `is_held`) for writing. Any other description or channel that
  // is not held has yet to be opened.
  SocketStage stage = SocketStage::Plain;
  ObjectId reads = kNoObject;
  ObjectId writes = kNoObject;
  bool is_held = true;
};

struct Script {
  std::vector<ScriptObject>
      objects;               // ObjectId is the place in here; all are shared between processes
  std::vector<Body> bodies;  // the first thread runs the first
  std::vector<OpPart> parts;
  // What handlers of signals run: a body that no thread runs; none: they do nothing.
  uint32_t handler = kNoBody;

  ObjectId add(const ScriptObject& object) {
    objects.push_back(object);
    return ObjectId{static_cast<uint32_t>(objects.size() - 1)};
  }
  // An operation with these parts.
  Operation with_parts(Operation op, const std::vector<OpPart>& its_parts);
};

Instruction operate(const Operation& op);
Instruction go_to(uint32_t to, Instruction::Test test = Instruction::Test::Always,
                  int64_t value = 0);
Instruction calculate(uint8_t reg, Instruction::Calculation calculation, int64_t value = 0);
Instruction spawn(uint32_t body);
Instruction fork_process(uint32_t body);
Instruction join_child(uint32_t child, uint8_t flags = 0);

// For people: the whole program, an instruction a line.
std::string to_string(const Script& script);

}  // namespace mazurka
