// The fork server: stands where the program's own code begins, and makes each execution by a fork
// of itself.
#pragma once

namespace mazurka {

// Returns in the process of an execution, once per execution; the server itself never returns. At
// once, if this process has an execution already. With Control::direct there is no server: the
// execution is this process.
void begin_executions();

// Parts of a server, for the one that resets in place.
void make_known_shells();
void redirect_standard_streams();
void announce_server();
void await_run_command();
// An execution begins in this very process; in its first global state, or where the program's own
// code begins.
void begin_in_this_process(bool in_first_state);
void announce_end();
// The last execution could not be reset in place.
void say_need_fork(const char* why);

// From now on what real_function() finds in one process of the fork server is known in all
// (start.cc).
void share_found_functions();

// The process that calls it has ended in the world: hands the baton on and is gone.
[[noreturn]] void vanish();

}  // namespace mazurka
