#include "testing/worlds/dependency_table.h"

#include "testing/worlds/dependency_tables.h"

namespace mazurka {

std::string accesses_table() {
  struct Section {
    const char* title;
    std::string (*table)();
  };
  const Section sections[] = {
      {"Mutexes and spin locks", mutex_table},
      {"Conditions", condition_table},
      {"Reader-writer locks", rwlock_table},
      {"Barriers", barrier_table},
      {"POSIX semaphores", semaphore_table},
      {"System V semaphore sets", sem_set_table},
      {"Names and keys", name_table},
      {"Random numbers of libc (rand, drand48)", generator_table},
      {"Once", once_table},
      {"Futexes", futex_table},
      {"Shared variables", variable_table},
      {"Pipes; sockets are alike in each direction, and closing one also reads what it has not "
       "read",
       channel_table},
      {"Message queues, as System V has them", queue_table},
      {"Timers (timerfd)", timer_table},
      {"Sockets that find each other by name; the queue is that of the one that listens",
       socket_table},
      {"Locks of files, each by a description of its own", file_lock_table},
      {"Files on disk: the names f and g in the directory d, the file that f leads to, and one "
       "description of it",
       file_use_table},
      {"Events (`mz_event`), of any names", event_table},
      {"Threads and processes, where a process has two threads and a child", process_table},
      {"Signals, where a process has two threads and a child", signal_table_of_accesses},
  };
  std::string text;
  for (const Section& section : sections) {
    text += text.empty() ? "" : "\n";
    text += std::string(section.title) + ":\n\n" + section.table();
  }
  return text;
}

}  // namespace mazurka
