// Calls of imports without a row (imports.cc): each has a stub, which saves what a call may use, tells us, and goes on to the real
// function. Its caller sees nothing of it: the return address is its own.
#define STUBS 1024

  .text
  .p2align 4
  .globl mazurka_import_stubs
  .hidden mazurka_import_stubs
mazurka_import_stubs:
  .set number, 0
  .rept STUBS
  .p2align 4
  endbr64
  pushq $number
  jmp .Lmeet
  .set number, number + 1
  .endr

// On the stack: the number of the stub, and the return address.
.Lmeet:
  .cfi_startproc
  .cfi_def_cfa_offset 16
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rax
  pushq %r10
  pushq %r11
  pushq %r9
  pushq %r8
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  movq 8(%rbp), %rdi
  movq %rsp, %rsi
  movq 16(%rbp), %rdx
  subq $128, %rsp
  andq $-16, %rsp
  movups %xmm0, 0(%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  call mazurka_meet_import
  movups 0(%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  movq %rax, 8(%rbp)
  leaq -72(%rbp), %rsp
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %r8
  popq %r9
  popq %r11
  popq %r10
  popq %rax
  popq %rbp
  .cfi_def_cfa %rsp, 16
  ret
  .cfi_endproc

  .section .note.GNU-stack, "", @progbits
