// void mazurka_call_once_routine(void (*routine)(void)): calls it in a frame of which once_calls.cc hears when an
// exception or a forced unwinding leaves it: the unwinder, whichever the program has, calls the frame's personality.

        .text
        .globl  mazurka_call_once_routine
        .hidden mazurka_call_once_routine
        .hidden mazurka_once_personality
        .type   mazurka_call_once_routine, @function
mazurka_call_once_routine:
        .cfi_startproc
        .cfi_personality 0x1b, mazurka_once_personality     // relative to the program counter, 4 bytes
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        callq   *%rdi
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        retq
        .cfi_endproc
        .size   mazurka_call_once_routine, . - mazurka_call_once_routine

        .section .note.GNU-stack, "", @progbits
