#include "testing/scripts/script_writer.h"

namespace mazurka {

uint8_t ScriptWriter::random_flags() {
  if (!has(kTries) || dice.below(3) != 0) return 0;
  return static_cast<uint8_t>(dice.one_in(2) ? kTry : kTimed);
}

void ScriptWriter::statement() {
  --budget;
  write_statement();
}

void ScriptWriter::block() {
  for (uint32_t left = dice.below(3); left > 0 && budget > 0; --left) statement();
}

uint32_t ScriptWriter::open(Instruction::Test test, int64_t value) {
  body->push_back(go_to(0, test, value));
  return static_cast<uint32_t>(body->size()) - 1;
}

void ScriptWriter::close(uint32_t opened) {
  (*body)[opened].to = static_cast<uint32_t>(body->size());
}

void ScriptWriter::maybe_branch(Instruction::Test test, int64_t value) {
  if (!has(kTries) || budget == 0 || dice.one_in(2)) return;
  const uint32_t over = open(test, value);
  statement();
  close(over);
}

}  // namespace mazurka
