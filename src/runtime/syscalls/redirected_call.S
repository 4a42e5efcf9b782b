// Where a thread goes on after a system call that was caught (watched_calls.cc): calls
// long mazurka_redirected_call(const long* number_and_arguments, uint64_t pc), and returns behind the system call with
// its result. Like a system call it keeps all registers but rax, rcx and r11; the stack has the return address, and above
// it the 128 bytes that the interrupted function may use below its stack pointer.

        .text
        .globl  mazurka_redirect
        .hidden mazurka_redirect
        .hidden mazurka_redirected_call
        .type   mazurka_redirect, @function
mazurka_redirect:
        .cfi_startproc
        .cfi_def_cfa %rsp, 136
        .cfi_offset %rip, -136
        pushq   %rbp
        .cfi_def_cfa_offset 144
        .cfi_offset %rbp, -144
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq   %rbx
        pushq   %r9
        pushq   %r8
        pushq   %r10
        pushq   %rdx
        pushq   %rsi
        pushq   %rdi
        pushq   %rax
        movq    %rsp, %rdi
        movq    8(%rbp), %rsi
        movl    mazurka_vector_mask(%rip), %eax
        testl   %eax, %eax
        jz      1f
        subq    mazurka_vector_size(%rip), %rsp
        andq    $-64, %rsp
        .irp    at, 512, 520, 528, 536, 544, 552, 560, 568
        movq    $0, \at(%rsp)
        .endr
        xorl    %edx, %edx
        xsave64 (%rsp)
        callq   mazurka_redirected_call
        movq    %rax, %rbx
        movl    mazurka_vector_mask(%rip), %eax
        xorl    %edx, %edx
        xrstor64 (%rsp)
        movq    %rbx, %rax
        jmp     2f
1:      subq    $512, %rsp
        andq    $-64, %rsp
        fxsave64 (%rsp)
        callq   mazurka_redirected_call
        fxrstor64 (%rsp)
2:
        leaq    -56(%rbp), %rsp
        popq    %rdi
        popq    %rsi
        popq    %rdx
        popq    %r10
        popq    %r8
        popq    %r9
        popq    %rbx
        popq    %rbp
        .cfi_def_cfa %rsp, 136
        retq    $128
        .cfi_endproc
        .size   mazurka_redirect, . - mazurka_redirect

// void mazurka_go_on_stack(uint64_t stack, uint64_t pc): behind a system call that has returned 0, on another stack.
        .globl  mazurka_go_on_stack
        .hidden mazurka_go_on_stack
        .type   mazurka_go_on_stack, @function
mazurka_go_on_stack:
        movq    %rdi, %rsp
        xorl    %eax, %eax
        jmpq    *%rsi
        .size   mazurka_go_on_stack, . - mazurka_go_on_stack

// long mazurka_int_80(long number, long a, long b, long c, long d, long e): a 32-bit system call, past everything.
        .globl  mazurka_int_80
        .hidden mazurka_int_80
        .type   mazurka_int_80, @function
mazurka_int_80:
        pushq   %rbx
        movq    %rdi, %rax
        movq    %rsi, %rbx
        movq    %r8, %rsi
        movq    %r9, %rdi
        xchgq   %rcx, %rdx
        int     $0x80
        popq    %rbx
        retq
        .size   mazurka_int_80, . - mazurka_int_80

        .section .note.GNU-stack, "", @progbits
