// The entries of calls by which a thread pauses, or may pause: their bodies are in sleep_calls.cc, poll_calls.cc.

#include "runtime/core/note_caller.inc"

        .text
        .hidden mazurka_caller
        .irp    name, sched_yield, nanosleep, clock_nanosleep, usleep, sleep, poll, __poll_chk, ppoll, __ppoll_chk, select, pselect
        entry   \name, mazurka_\name
        .endr

        // Today's headers turn pthread_yield into sched_yield; old programs are bound to it.
        entry   pthread_yield, mazurka_sched_yield

        .section .note.GNU-stack, "", @progbits
