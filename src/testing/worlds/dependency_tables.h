// The tables of docs/dependency.md, one for each kind of object (dependency_table.h puts them
// together).
#pragma once

#include <string>

namespace mazurka {

// dependency_table_threads.cc
std::string mutex_table();
std::string condition_table();
std::string rwlock_table();
std::string barrier_table();
std::string semaphore_table();
std::string sem_set_table();
std::string name_table();
std::string generator_table();
std::string once_table();
std::string variable_table();
std::string futex_table();
std::string event_table();
std::string process_table();
std::string signal_table_of_accesses();

// dependency_table_descriptors.cc
std::string channel_table();
std::string queue_table();
std::string timer_table();
std::string file_lock_table();
std::string file_use_table();
std::string socket_table();

}  // namespace mazurka
