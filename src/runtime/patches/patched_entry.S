// Where a thread comes to when it reaches a locked instruction that was replaced (trampoline.h): its registers, flags and
// vector registers are saved below the 128 bytes that its function may use under the stack pointer. Calls
// uint64_t mazurka_patched(PatchedFrame*, const uint8_t* vectors), which does the instruction on what was saved, and goes
// on where that says.
//
// The trampoline has pushed: room for the address to go on at, which until then is that of the instruction, for
// unwinders; and the number of the patch.

        .text
        .globl  mazurka_patched_entry
        .hidden mazurka_patched_entry
        .hidden mazurka_patched
        .hidden mazurka_vector_size
        .hidden mazurka_vector_mask
        .hidden mazurka_vectors_are_compact
        .type   mazurka_patched_entry, @function
mazurka_patched_entry:
        .cfi_startproc
        .cfi_def_cfa %rsp, 144
        .cfi_offset %rip, -136
        pushfq
        cld
        pushq   %r15
        pushq   %r14
        pushq   %r13
        pushq   %r12
        pushq   %r11
        pushq   %r10
        pushq   %r9
        pushq   %r8
        pushq   %rdi
        pushq   %rsi
        pushq   %rbp
        pushq   %rsp
        pushq   %rbx
        pushq   %rdx
        pushq   %rcx
        pushq   %rax
        movq    %rsp, %rbx
        .cfi_def_cfa %rbx, 280
        .cfi_offset %rbx, -256
        .cfi_offset %rbp, -240
        .cfi_offset %r12, -184
        .cfi_offset %r13, -176
        .cfi_offset %r14, -168
        .cfi_offset %r15, -160
        leaq    280(%rbx), %rax
        movq    %rax, 32(%rbx)
        subq    mazurka_vector_size(%rip), %rsp
        andq    $-64, %rsp
        // What the processor does not write must be zero when it is read back.
        xorl    %eax, %eax
        movq    %rax, 512(%rsp)
        movq    %rax, 520(%rsp)
        movq    %rax, 528(%rsp)
        movq    %rax, 536(%rsp)
        movq    %rax, 544(%rsp)
        movq    %rax, 552(%rsp)
        movq    %rax, 560(%rsp)
        movq    %rax, 568(%rsp)
        movl    mazurka_vector_mask(%rip), %eax
        xorl    %edx, %edx
        cmpb    $0, mazurka_vectors_are_compact(%rip)
        je      1f
        xsavec64 (%rsp)
        jmp     2f
1:      xsave64 (%rsp)
2:      movq    %rbx, %rdi
        movq    %rsp, %rsi
        callq   mazurka_patched
        movq    %rax, 144(%rbx)
        movl    mazurka_vector_mask(%rip), %eax
        xorl    %edx, %edx
        xrstor64 (%rsp)
        movq    %rbx, %rsp
        popq    %rax
        popq    %rcx
        popq    %rdx
        popq    %rbx
        .cfi_def_cfa %rsp, 248
        leaq    8(%rsp), %rsp
        popq    %rbp
        popq    %rsi
        popq    %rdi
        popq    %r8
        popq    %r9
        popq    %r10
        popq    %r11
        popq    %r12
        popq    %r13
        popq    %r14
        popq    %r15
        popfq
        leaq    8(%rsp), %rsp
        .cfi_def_cfa %rsp, 136
        retq    $128
        .cfi_endproc
        .size   mazurka_patched_entry, . - mazurka_patched_entry

        .section .note.GNU-stack, "", @progbits
