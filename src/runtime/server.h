// The fork server: stands where the program's own code begins, and makes each execution by a fork of itself.
#pragma once

namespace mazurka {

// Returns in the process of an execution, once per execution; the server itself never returns. At once, if this
// process has an execution already. With Control::direct there is no server: the execution is this process.
void begin_executions();

// The process that calls it has ended in the world: hands the baton on and is gone.
[[noreturn]] void vanish();

}  // namespace mazurka
