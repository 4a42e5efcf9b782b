// The rows of mutexes, conditions, reader-writer locks, barriers, semaphores, once and futexes in
// the tables of words.
#pragma once

#include "objects/kind_words.h"
#include "objects/op_words.h"

namespace mazurka {

namespace sync_words {

TypeFunction mutex_type;
ValueFunction mutex_value, sleepers, rwlock_value, barrier_value, semaphore_value, sem_set_value,
    once_value;
bool is_whole_set(const Object& object);
bool is_done(const Object& object);
ThreadId mutex_owner(const Object& object);
ThreadId writer(const Object& object);
void add_mutex_owner(const Object& object, std::vector<ThreadId>& out);
void add_writer_and_readers(const Object& object, std::vector<ThreadId>& out);
void add_runner(const Object& object, std::vector<ThreadId>& out);

VerbFunction wake_up;
OperandFunction condition_and_mutex, added_to_semaphores, set_semaphores;
OutcomeFunction wakes_one_thread, woken_or_timed_out;
ResultFunction once_result;
WhyFunction until_all_came, semaphore_is_taken, semaphores_are_taken;
HolderFunction owner_once_woken;
bool wakes_one(const Operation& op);

}  // namespace sync_words

inline constexpr KindWords kSyncKindWords[] = {
    {.kind = ObjectKind::Mutex,
     .type = sync_words::mutex_type,
     .value = sync_words::mutex_value,
     .owner = sync_words::mutex_owner,
     .add_holders = sync_words::add_mutex_owner},
    {.kind = ObjectKind::Condition, .value = sync_words::sleepers},
    {.kind = ObjectKind::RwLock,
     .value = sync_words::rwlock_value,
     .owner = sync_words::writer,
     .add_holders = sync_words::add_writer_and_readers},
    {.kind = ObjectKind::Barrier, .value = sync_words::barrier_value},
    {.kind = ObjectKind::Semaphore, .value = sync_words::semaphore_value},
    {.kind = ObjectKind::SemSet,
     .value = sync_words::sem_set_value,
     .says_nothing = sync_words::is_whole_set},
    {.kind = ObjectKind::Once,
     .value = sync_words::once_value,
     .says_nothing = sync_words::is_done,
     .add_holders = sync_words::add_runner},
    {.kind = ObjectKind::Futex, .value = sync_words::sleepers},
};

inline constexpr OpWords kSyncWords[] = {
    {.kind = OpKind::MutexLock, .why = cannot_happen},
    {.kind = OpKind::MutexUnlock},
    {.kind = OpKind::MutexDestroy},
    {.kind = OpKind::MutexConsistent},
    {.kind = OpKind::CondWait, .operands = sync_words::condition_and_mutex},
    {.kind = OpKind::CondReacquire,
     .verb = sync_words::wake_up,
     .operands = sync_words::condition_and_mutex,
     .why = cannot_happen,
     .holders = sync_words::owner_once_woken},
    {.kind = OpKind::CondWake,
     .verb = sync_words::wake_up,
     .outcome_matters = true,
     .foretold = sync_words::woken_or_timed_out},
    {.kind = OpKind::CondSignal,
     .outcome = wakes_thread,
     .outcome_is_thread = always,
     .outcome_matters = true},
    {.kind = OpKind::CondBroadcast},
    {.kind = OpKind::CondDestroy},
    {.kind = OpKind::ReadLock, .why = cannot_happen},
    {.kind = OpKind::WriteLock, .why = cannot_happen},
    {.kind = OpKind::RwUnlock},
    {.kind = OpKind::RwDestroy},
    {.kind = OpKind::BarrierArrive},
    {.kind = OpKind::BarrierLeave, .why = sync_words::until_all_came},
    {.kind = OpKind::BarrierDestroy},
    {.kind = OpKind::SemWait, .why = sync_words::semaphore_is_taken},
    {.kind = OpKind::SemPost},
    {.kind = OpKind::SemGetValue},
    {.kind = OpKind::SemDestroy},
    {.kind = OpKind::Semop,
     .operands = sync_words::added_to_semaphores,
     .about = About::EachPart,
     .why = sync_words::semaphores_are_taken},
    {.kind = OpKind::SemctlSet, .operands = sync_words::set_semaphores, .about = About::FirstPart},
    {.kind = OpKind::SemctlGet, .about = About::FirstPart},
    {.kind = OpKind::SemctlRemove, .about = About::FirstPart},
    {.kind = OpKind::OnceBegin, .result = sync_words::once_result, .why = cannot_happen},
    {.kind = OpKind::OnceEnd},
    {.kind = OpKind::FutexWait},
    {.kind = OpKind::FutexBlocked,
     .verb = sync_words::wake_up,
     .foretold = sync_words::woken_or_timed_out,
     .why = cannot_happen},
    {.kind = OpKind::FutexWake,
     .outcome = sync_words::wakes_one_thread,
     .outcome_is_thread = sync_words::wakes_one},
};

}  // namespace mazurka
