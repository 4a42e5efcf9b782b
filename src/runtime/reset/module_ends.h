// The ends of modules: what the dynamic linker runs after all exit handlers (destructors, in gcc's
// sense).
//
// The linker writes to itself and to every module for that, which a reset has to undo; and the
// libraries of the system do nothing there that matters to a process that is about to go. So where
// a program has no others, only its own ends are run.
#pragma once

namespace mazurka {

// Before executions begin.
void look_at_modules();

// `linker_ends_all`: what the dynamic linker would do.
void end_modules(void (*linker_ends_all)());

}  // namespace mazurka
