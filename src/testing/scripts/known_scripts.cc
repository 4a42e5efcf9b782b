#include "testing/scripts/known_scripts.h"

#include <utility>

namespace mazurka {
namespace {

Instruction on(OpKind kind, ObjectId object) { return operate({.kind = kind, .object = object}); }

// A main thread that spawns one thread for each of the bodies, and joins them.
void spawn_and_join(Script& script, std::vector<Body> bodies) {
  script.bodies.resize(1);
  Body& main = script.bodies[0];
  const auto count = static_cast<uint32_t>(bodies.size());
  for (uint32_t i = 1; i <= count; ++i) main.push_back(spawn(i));
  for (uint32_t i = 1; i <= count; ++i) main.push_back(join_child(i));
  for (Body& body : bodies) script.bodies.push_back(std::move(body));
}

Script mutex_philosophers(uint32_t count, bool ordered) {
  Script script;
  std::vector<ObjectId> forks;
  for (uint32_t i = 0; i < count; ++i) forks.push_back(script.add({.kind = ObjectKind::Mutex}));
  std::vector<Body> dine;
  for (uint32_t i = 0; i < count; ++i) {
    ObjectId first = forks[i];
    ObjectId second = forks[(i + 1) % count];
    if (ordered && i + 1 == count) std::swap(first, second);
    dine.push_back({on(OpKind::MutexLock, first), on(OpKind::MutexLock, second),
                    on(OpKind::MutexUnlock, first), on(OpKind::MutexUnlock, second)});
  }
  spawn_and_join(script, std::move(dine));
  return script;
}

// As many in a row.
ObjectId add_many(Script& script, uint32_t count, ObjectKind kind) {
  const ObjectId first = script.add({.kind = kind});
  for (uint32_t i = 1; i < count; ++i) script.add({.kind = kind});
  return first;
}

ObjectId plus(ObjectId first, int64_t places) {
  return ObjectId{static_cast<uint32_t>(index(first) + places)};
}

Instruction load(ObjectId variable) { return on(OpKind::VarLoad, variable); }
Instruction store(ObjectId variable, int64_t value) {
  return operate({.kind = OpKind::VarStore, .object = variable, .value = value});
}

// The operation on the object so many places further on as a register says.
Instruction at(uint8_t reg, Instruction instruction) {
  instruction.object_plus = reg;
  return instruction;
}

using Calculation = Instruction::Calculation;
using Test = Instruction::Test;
constexpr uint8_t kPlace = 0;  // registers
constexpr uint8_t kValue = 1;

}  // namespace

Script thread_philosophers(uint32_t count) { return mutex_philosophers(count, false); }
Script ordered_philosophers(uint32_t count) { return mutex_philosophers(count, true); }

Script process_philosophers(uint32_t count) {
  Script script;
  const ObjectId set = script.add({.kind = ObjectKind::SemSet});
  std::vector<ObjectId> forks;
  for (uint32_t i = 0; i < count; ++i) {
    forks.push_back(script.add({.kind = ObjectKind::Semaphore, .value = 1}));
  }
  const auto change = [&](uint32_t fork, int by) {
    const auto number = static_cast<uint16_t>(fork % count);
    const OpPart part = semaphore_part(forks[number], by, false, false, number);
    return operate(script.with_parts({.kind = OpKind::Semop, .object = set}, {part}));
  };
  std::vector<Body> dine;
  for (uint32_t i = 0; i < count; ++i) {
    dine.push_back({change(i, -1), change(i + 1, -1), change(i, +1), change(i + 1, +1)});
  }
  script.bodies.resize(1);
  for (uint32_t i = 0; i + 1 < count; ++i) {
    script.bodies[0].push_back(fork_process(i + 1));
    script.bodies.push_back(dine[i]);
  }
  script.bodies[0].insert(script.bodies[0].end(), dine.back().begin(), dine.back().end());
  return script;
}

Script lock_counter(uint32_t threads, uint32_t rounds) {
  Script script;
  const ObjectId mutex = script.add({.kind = ObjectKind::Mutex});
  Body body;
  for (uint32_t i = 0; i < rounds; ++i) {
    body.push_back(on(OpKind::MutexLock, mutex));
    body.push_back(on(OpKind::MutexUnlock, mutex));
  }
  spawn_and_join(script, std::vector<Body>(threads, body));
  return script;
}

Script readers(uint32_t readers) {
  Script script;
  const ObjectId x = script.add({.kind = ObjectKind::Variable});
  std::vector<Body> bodies(readers, {load(x)});
  bodies.push_back({store(x, 1)});
  spawn_and_join(script, std::move(bodies));
  return script;
}

Script last_zero(uint32_t count) {
  Script script;
  const ObjectId array = add_many(script, count + 1, ObjectKind::Variable);
  Instruction store_value = store(array, 0);
  store_value.value_from = kValue;
  std::vector<Body> bodies;
  bodies.push_back({calculate(kPlace, Calculation::Set, count), at(kPlace, load(array)),
                    go_to(5, Test::ValueIs, 0), calculate(kPlace, Calculation::Add, -1), go_to(1)});
  for (uint32_t i = 1; i <= count; ++i) {
    store_value.op.object = plus(array, i);
    bodies.push_back({load(plus(array, int64_t{i} - 1)), calculate(kValue, Calculation::Keep),
                      calculate(kValue, Calculation::Add, 1), store_value});
  }
  spawn_and_join(script, std::move(bodies));
  return script;
}

Script indexer(uint32_t count) {
  constexpr uint32_t kSize = 128;
  constexpr uint32_t kMessages = 4;
  Script script;
  const ObjectId table = add_many(script, kSize, ObjectKind::Variable);
  std::vector<Body> bodies(count);
  for (uint32_t thread = 0; thread < count; ++thread) {
    for (uint32_t m = 1; m <= kMessages; ++m) {
      const uint32_t word = m * 11 + thread;
      Body& body = bodies[thread];
      body.push_back(calculate(kPlace, Calculation::Set, word * 7 % kSize));
      const auto probe = static_cast<uint32_t>(body.size());
      body.insert(
          body.end(),
          {at(kPlace,
              operate({.kind = OpKind::VarCompareExchange, .object = table, .desired = word})),
           go_to(probe + 5, Test::ErrorIs, 0), calculate(kPlace, Calculation::Add, 1),
           calculate(kPlace, Calculation::Remainder, kSize), go_to(probe)});
    }
  }
  spawn_and_join(script, std::move(bodies));
  return script;
}

Script file_system(uint32_t count) {
  constexpr uint32_t kInodes = 32;
  constexpr uint32_t kBlocks = 26;
  Script script;
  const ObjectId inode_locks = add_many(script, kInodes, ObjectKind::Mutex);
  const ObjectId inodes = add_many(script, kInodes, ObjectKind::Variable);
  // Blocks are counted from 1 in the register, as in the inodes.
  const ObjectId block_locks = plus(add_many(script, kBlocks, ObjectKind::Mutex), -1);
  const ObjectId busy = plus(add_many(script, kBlocks, ObjectKind::Variable), -1);
  std::vector<Body> bodies;
  for (uint32_t thread = 0; thread < count; ++thread) {
    const uint32_t i = thread % kInodes;
    Instruction take_block = store(plus(inodes, i), 0);
    take_block.value_from = kPlace;
    bodies.push_back(
        {on(OpKind::MutexLock, plus(inode_locks, i)), load(plus(inodes, i)),
         go_to(15, Test::ValueIsNot, 0), calculate(kPlace, Calculation::Set, i * 2 % kBlocks + 1),
         at(kPlace, on(OpKind::MutexLock, block_locks)),  // 4
         at(kPlace, load(busy)), go_to(11, Test::ValueIsNot, 0), at(kPlace, store(busy, 1)),
         take_block, at(kPlace, on(OpKind::MutexUnlock, block_locks)), go_to(15),
         at(kPlace, on(OpKind::MutexUnlock, block_locks)),  // 11
         calculate(kPlace, Calculation::Remainder, kBlocks), calculate(kPlace, Calculation::Add, 1),
         go_to(4), on(OpKind::MutexUnlock, plus(inode_locks, i))});  // 15
  }
  spawn_and_join(script, std::move(bodies));
  return script;
}

}  // namespace mazurka
