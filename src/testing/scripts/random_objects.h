// Mutexes, conditions, semaphores and their like for random scripts (random_script.h).
#pragma once

#include "testing/scripts/script_writer.h"

namespace mazurka {

class RandomObjects {
 public:
  explicit RandomObjects(ScriptWriter& out) : out_(out) {}
  // Adds those that the script may use.
  void make();

  // One statement each.
  void mutex_section();
  void rwlock_section();
  void condition_wait();
  uint32_t wake_for_no_reason(ObjectId condition, ObjectId mutex);
  void condition_signal();
  void barrier_wait();
  void semaphore_operation();
  void sem_set_operation();
  void name_operation();
  void generator_operation();
  void once_section();
  void futex_wait();
  void futex_wake();
  void variable_operation();
  // False: there is none that may be misused.
  bool misuse();
  // What the handler of a signal does. It must not wait for long.
  void handler_operation(bool posts);

 private:
  ScriptObject random_mutex();
  ScriptObject random_semaphore();
  OpPart random_part();
  void section(const Operation& lock, const Operation& unlock);

  ScriptWriter& out_;
  ObjectId mutexes_[kObjectsOfAKind] = {};
  ObjectId conditions_[kObjectsOfAKind] = {};
  ObjectId rwlocks_[kObjectsOfAKind] = {};
  ObjectId semaphores_[kObjectsOfAKind] = {};
  ObjectId set_semaphores_[kObjectsOfAKind] = {};
  ObjectId futexes_[kObjectsOfAKind] = {};
  ObjectId variables_[kObjectsOfAKind] = {};
  ObjectId set_ = kNoObject;
  ObjectId barrier_ = kNoObject;
  ObjectId name_ = kNoObject;
  ObjectId generator_ = kNoObject;
  ObjectId once_ = kNoObject;
};

}  // namespace mazurka
