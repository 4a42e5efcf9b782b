// Where executions begin, as far as a reset of memory does not bring it back: the world, and the
// segment's records of threads, processes and system objects. First that is where the program's own
// code begins; where executions are reset in place it is then the first global state (in_place.cc),
// which all of them pass.
#pragma once

namespace mazurka {

// Objects and threads that are there already count as made by the invisible code before the first
// transition.
void list_what_is_there();

// From now on executions begin with the world as it is, and with the thread that is the current
// one.
void save_beginning();

// Forgets the records of the last execution.
void clear_last_execution();
// Requires that they are cleared.
void restore_beginning();

// Whether a reset of memory and restore_beginning() would undo, and bring back, all that the
// running execution has done up to here. Requires that it has made no transition.
bool may_begin_here();

}  // namespace mazurka
