#include "program/binary/dead_registers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "program/binary/atomic_sites.h"

namespace mazurka {
namespace {

constexpr uint16_t kAllFlags = 0x8d5;
constexpr unsigned kRax = 1 << 0;
constexpr unsigned kRcx = 1 << 1;
constexpr unsigned kRdx = 1 << 2;
constexpr unsigned kRsi = 1 << 6;

// The first locked instruction of this function.
PatchSite first_site(const std::string& text) {
  char folder[] = "/tmp/dead_registers_XXXXXX";
  EXPECT_NE(mkdtemp(folder), nullptr);
  const std::string name = folder;
  std::ofstream(name + "/f.s") << ".text\n.type f,@function\nf:\n.cfi_startproc\n"
                               << text << "\n.cfi_endproc\n.size f,.-f\n";
  const std::string command = "gcc -shared -nostdlib -o " + name + "/f.so " + name + "/f.s";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const AtomicSites found = find_atomic_sites(name + "/f.so");
  EXPECT_EQ(std::system(("rm -r " + name).c_str()), 0);
  return found.sites.empty() ? PatchSite{} : found.sites[0];
}

unsigned dead_behind(const std::string& text) {
  return first_site("xchgl %r15d, (%rdi)\n" + text).dead_registers;
}

unsigned dead_flags_behind(const std::string& text) {
  return first_site("xchgl %r15d, (%rdi)\n" + text).dead_flags;
}

TEST(DeadRegisters, ALoopThatTriesALockLooksAtWhatItComparesAndWrites) {
  const PatchSite site = first_site(
      "1: movl $0, %eax\nlock cmpxchgl %edx, (%rdi)\nmovl %eax, %ecx\nsete %al\ntestb %al, %al\n"
      "je 1b\nmovl $5, %eax\nret");
  EXPECT_EQ(site.dead_registers, kRcx);
  EXPECT_EQ(site.dead_flags, kAllFlags);
}

TEST(DeadRegisters, WhatReturnsOrCallsReadsAll) {
  EXPECT_EQ(dead_behind("ret\nmovl $1, %eax"), 0u);
  EXPECT_EQ(dead_behind("call *%rax\nmovl $1, %ecx\nret"), 0u);
  EXPECT_EQ(dead_behind("jmp *%rax\nmovl $1, %ecx\nret"), 0u);
  EXPECT_EQ(dead_behind("jmp elsewhere\nmovl $1, %ecx\nret"), 0u);
  EXPECT_EQ(dead_behind("syscall\nmovl $1, %ecx\nret"), 0u);
  EXPECT_EQ(dead_behind("nop"), 0u);  // and there the function ends
}

TEST(DeadRegisters, BothWaysOfABranchCount) {
  EXPECT_EQ(dead_behind("je 1f\nmovl $1, %ecx\n1: ret"), 0u);
  EXPECT_EQ(dead_behind("je 1f\nmovl $1, %ecx\nret\n1: movl $2, %ecx\nret"), kRcx);
  EXPECT_EQ(dead_behind("jmp 1f\nmovl %ecx, (%rsi)\n1: movl $2, %ecx\nret"), kRcx);
  EXPECT_EQ(dead_behind("jrcxz 1f\nmovl $1, %ecx\n1: movl $2, %ecx\nret"), 0u);
}

TEST(DeadRegisters, AnEndlessLoopReadsWhatIsInIt) {
  EXPECT_EQ(dead_behind("1: addl %ecx, %edx\njmp 1b") & (kRcx | kRdx | kRsi), kRsi);
}

TEST(DeadRegisters, APartThatIsWrittenLeavesTheRest) {
  EXPECT_EQ(dead_behind("movb $1, %cl\nret"), 0u);
  EXPECT_EQ(dead_behind("movw $1, %cx\nret"), 0u);
  EXPECT_EQ(dead_behind("movb $1, %ch\nret"), 0u);
  EXPECT_EQ(dead_behind("movl $1, %ecx\nret"), kRcx);
  EXPECT_EQ(dead_behind("movzbl %ch, %ecx\nret"), 0u);
}

TEST(DeadRegisters, WhatMayBeLeftAloneIsNotWritten) {
  EXPECT_EQ(dead_behind("cmovel %esi, %ecx\nret"), 0u);
  EXPECT_EQ(dead_behind("bsfl %esi, %ecx\nret"), 0u);
  EXPECT_EQ(dead_flags_behind("shll %cl, %esi\nret"), 0u);
  EXPECT_EQ(dead_flags_behind("repe cmpsb\nret"), 0u);
}

TEST(DeadRegisters, OperandsInMemoryAndHiddenOnesAreRead) {
  EXPECT_EQ(dead_behind("movl (%rcx,%rsi), %edx\nmovl $1, %ecx\nmovl $1, %esi\nret"), kRdx);
  EXPECT_EQ(dead_behind("leal (%rcx), %ecx\nret"), 0u);
  EXPECT_EQ(dead_behind("rep stosb\nmovl $1, %ecx\nmovl $1, %eax\nret"), 0u);
  EXPECT_EQ(dead_behind("mull %esi\nmovl $1, %eax\nmovl $1, %edx\nret"), kRdx);
  EXPECT_EQ(dead_behind("cltq\nmovl $1, %eax\nret"), 0u);
  EXPECT_EQ(dead_behind("pushq %rcx\nmovl $1, %ecx\nret"), 0u);
}

TEST(DeadRegisters, AnExclusiveOrWithItselfReadsNothing) {
  EXPECT_EQ(dead_behind("xorl %ecx, %ecx\nret"), kRcx);
  EXPECT_EQ(dead_behind("xorl %ecx, %eax\nret"), 0u);
  EXPECT_EQ(dead_behind("xorb %cl, %cl\nret"), 0u);
  EXPECT_EQ(dead_behind("sbbl %ecx, %ecx\nret"), 0u);
}

TEST(DeadRegisters, FlagsAreDeadWhereAllOfThemAreWrittenFirst) {
  EXPECT_EQ(dead_flags_behind("cmpl %ecx, %esi\nret"), kAllFlags);
  EXPECT_EQ(dead_flags_behind("adcl %ecx, %esi\ncmpl %ecx, %esi\nret"), kAllFlags & ~1u);
  EXPECT_EQ(dead_flags_behind("testl %ecx, %esi\nret"), kAllFlags & ~0x10u);
  EXPECT_EQ(dead_flags_behind("incl %esi\nret"), kAllFlags & ~1u);
  EXPECT_EQ(dead_flags_behind("je 1f\ncmpl %ecx, %esi\n1: cmpl %ecx, %esi\nret"),
            kAllFlags & ~0x40u);
  EXPECT_EQ(dead_flags_behind("pushfq\ncmpl %ecx, %esi\nret"), 0u);
  EXPECT_EQ(dead_flags_behind("lahf\ncmpl %ecx, %esi\nret") & 0xd5u, 0u);
}

TEST(DeadRegisters, ItsOwnOperandsAreRead) {
  EXPECT_EQ(first_site("lock xaddl %ecx, 4(%rsi,%rdx)\nmovl $1, %ecx\nmovl $1, %esi\n"
                       "movl $1, %edx\nmovl $1, %eax\nret")
                .dead_registers,
            kRax);
}

}  // namespace
}  // namespace mazurka
