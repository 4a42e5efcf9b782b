// The entries of atomic operations in instrumented code, and of plain reads where these are operations. They note the registers that belong to the caller, and where its stack
// ends: with the stack itself these are all that the thread knows (spin_trail.cc). The rest is in atomic_calls.cc and
// access_calls.cc.

#include "runtime/core/note_caller.inc"

        // Most programs do not want it: then it should cost nothing.
        .macro  read_entry name, body
        begin   \name, \body
        cmpb    $0, mazurka_accesses_are_visible(%rip)
        je      \body
        note_caller \name, \body
        .endm

        .macro  atomic_entry name
        entry   __tsan_\name, mazurka_\name
        .endm

        .macro  atomic_entries bits
        atomic_entry atomic\bits\()_load
        atomic_entry atomic\bits\()_store
        atomic_entry atomic\bits\()_exchange
        atomic_entry atomic\bits\()_fetch_add
        atomic_entry atomic\bits\()_fetch_sub
        atomic_entry atomic\bits\()_fetch_and
        atomic_entry atomic\bits\()_fetch_or
        atomic_entry atomic\bits\()_fetch_xor
        atomic_entry atomic\bits\()_fetch_nand
        atomic_entry atomic\bits\()_compare_exchange_strong
        atomic_entry atomic\bits\()_compare_exchange_weak
        atomic_entry atomic\bits\()_compare_exchange_val
        .endm

        .text
        .hidden mazurka_caller
        atomic_entries 8
        atomic_entries 16
        atomic_entries 32
        atomic_entries 64
        atomic_entries 128

        .hidden mazurka_accesses_are_visible
        .irp    size, 1, 2, 4, 8, 16
        read_entry __tsan_read\size, mazurka_read\size
        read_entry __tsan_unaligned_read\size, mazurka_read\size
        read_entry __tsan_volatile_read\size, mazurka_read\size
        read_entry __tsan_unaligned_volatile_read\size, mazurka_read\size
        .endr

        // libatomic's functions (libatomic_calls.cc)
        entry   __atomic_load, mazurka_libatomic_load
        entry   __atomic_store, mazurka_libatomic_store
        entry   __atomic_exchange, mazurka_libatomic_exchange
        entry   __atomic_compare_exchange, mazurka_libatomic_compare_exchange
        .irp    name, load, store, exchange, compare_exchange, fetch_add, fetch_sub, fetch_and, fetch_or, fetch_xor, fetch_nand
        entry   __atomic_\name\()_16, mazurka_libatomic_\name\()_16
        .endr

        .section .note.GNU-stack, "", @progbits
