#include "testing/scripts/script.h"

#include "execution/object_kinds.h"

namespace mazurka {
namespace {

const char* name_of_type(MutexType type) {
  switch (type) {
    case MutexType::Normal:
      return "";
    case MutexType::Recursive:
      return " recursive";
    case MutexType::ErrorCheck:
      return " error-checking";
    case MutexType::Spin:
      return " spin";
  }
  return " unknown";
}

// One string that grows: chains of + on temporaries make gcc 12 warn of what is not there.
std::string numbered(const char* words, int64_t number) {
  std::string text = words;
  text += std::to_string(number);
  return text;
}

std::string to_string(const ScriptObject& object) {
  std::string text = name_of(object.kind);
  if (object.value != 0) text += numbered(" ", object.value);
  text += name_of_type(object.mutex_type);
  if (object.robust) text += " robust";
  return text;
}

std::string to_string(const OpPart& part) {
  std::string text = numbered(" [", index(part.object)) + (part.sem.delta < 0 ? " " : " +");
  text += std::to_string(part.sem.delta);
  if (part.sem.no_wait) text += " no-wait";
  if (part.sem.undo) text += " undo";
  return text + "]";
}

const char* name_of_update(Update update) {
  switch (update) {
    case Update::Exchange:
      return "exchange";
    case Update::Add:
      return "add";
    case Update::And:
      return "and";
    case Update::Or:
      return "or";
    case Update::Xor:
      return "xor";
    case Update::Nand:
      return "nand";
    case Update::Negate:
      return "negate";
  }
  return "?";
}

std::string calculation_text(const Instruction& instruction) {
  std::string text = numbered("r", instruction.to);
  switch (instruction.calculation) {
    case Instruction::Calculation::Set:
      return text.append(numbered(" = ", instruction.value));
    case Instruction::Calculation::Add:
      return text.append(numbered(" += ", instruction.value));
    case Instruction::Calculation::Remainder:
      return text.append(numbered(" %= ", instruction.value));
    case Instruction::Calculation::Keep:
      return text.append(" = value of the last effect");
  }
  return text.append(" = ?");
}

std::string operation_text(const Script& script, const Instruction& instruction) {
  const Operation& op = instruction.op;
  std::string text = op.flags & kTry ? "try " : "";
  if (op.flags & kTimed) text += "timed ";
  text += name_of(op.kind);
  if (op.kind == OpKind::VarUpdate) text.append(" by ").append(name_of_update(op.update));
  if (op.object != kNoObject) text += numbered(" ", index(op.object));
  if (instruction.object_plus != kNoRegister) text += numbered(" + r", instruction.object_plus);
  if (op.second != kNoObject) text += numbered(" with ", index(op.second));
  for (uint32_t i = 0; i < op.part_count; ++i) text += to_string(script.parts[op.part_begin + i]);
  if (instruction.child != 0) text += numbered(" child ", instruction.child);
  if (instruction.takes_value) text += " value of the last effect";
  if (instruction.value_from != kNoRegister) text += numbered(" value r", instruction.value_from);
  if (op.value != 0) text += numbered(" value ", op.value);
  if (op.desired != 0) text += numbered(" to ", op.desired);
  return text;
}

std::string test_text(const Instruction& instruction) {
  switch (instruction.test) {
    case Instruction::Test::Always:
      return "";
    case Instruction::Test::ErrorIs:
      return numbered("if error == ", instruction.value) + " ";
    case Instruction::Test::ErrorIsNot:
      return numbered("if error != ", instruction.value) + " ";
    case Instruction::Test::ValueIs:
      return numbered("if value == ", instruction.value) + " ";
    case Instruction::Test::ValueIsNot:
      return numbered("if value != ", instruction.value) + " ";
  }
  return "if ? ";
}

std::string to_string(const Script& script, const Instruction& instruction) {
  switch (instruction.kind) {
    case Instruction::Kind::Operate:
      return operation_text(script, instruction);
    case Instruction::Kind::GoTo:
      return test_text(instruction) + numbered("go to ", instruction.to);
    case Instruction::Kind::Calculate:
      return calculation_text(instruction);
    case Instruction::Kind::Spawn:
      return numbered("spawn body ", instruction.to);
    case Instruction::Kind::Fork:
      return numbered("fork body ", instruction.to);
    case Instruction::Kind::LeaveThread:
      return "leave thread";
    case Instruction::Kind::EndProcess:
      return numbered("end process with ", instruction.value);
  }
  return "unknown instruction";
}

}  // namespace

Operation Script::with_parts(Operation op, const std::vector<OpPart>& its_parts) {
  op.part_begin = static_cast<uint32_t>(parts.size());
  op.part_count = static_cast<uint32_t>(its_parts.size());
  parts.insert(parts.end(), its_parts.begin(), its_parts.end());
  return op;
}

Instruction operate(const Operation& op) {
  Instruction made;
  made.op = op;
  return made;
}

Instruction go_to(uint32_t to, Instruction::Test test, int64_t value) {
  Instruction made;
  made.kind = Instruction::Kind::GoTo;
  made.test = test;
  made.to = to;
  made.value = value;
  return made;
}

Instruction calculate(uint8_t reg, Instruction::Calculation calculation, int64_t value) {
  Instruction made;
  made.kind = Instruction::Kind::Calculate;
  made.calculation = calculation;
  made.to = reg;
  made.value = value;
  return made;
}

Instruction spawn(uint32_t body) {
  Instruction made;
  made.kind = Instruction::Kind::Spawn;
  made.to = body;
  return made;
}

Instruction fork_process(uint32_t body) {
  Instruction made;
  made.kind = Instruction::Kind::Fork;
  made.to = body;
  return made;
}

Instruction join_child(uint32_t child, uint8_t flags) {
  Instruction made;
  made.op.kind = OpKind::Join;
  made.op.flags = flags;
  made.child = child;
  return made;
}

std::string to_string(const Script& script) {
  std::string text;
  for (size_t i = 0; i < script.objects.size(); ++i) {
    text +=
        numbered("object ", static_cast<int64_t>(i)) + ": " + to_string(script.objects[i]) + "\n";
  }
  for (size_t i = 0; i < script.bodies.size(); ++i) {
    text += numbered("body ", static_cast<int64_t>(i)) + ":\n";
    for (size_t j = 0; j < script.bodies[i].size(); ++j) {
      text += numbered("  ", static_cast<int64_t>(j)) + ": " +
              to_string(script, script.bodies[i][j]) + "\n";
    }
  }
  return text;
}

}  // namespace mazurka
