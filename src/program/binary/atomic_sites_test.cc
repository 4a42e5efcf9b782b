#include "program/binary/atomic_sites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace mazurka {
namespace {

// The program made of this assembly, searched.
class Assembled {
 public:
  explicit Assembled(const std::string& text) {
    char name[] = "/tmp/atomic_sites_XXXXXX";
    const int fd = mkstemp(name);
    if (fd < 0) return;
    path_ = name;
    const std::string command = "gcc -shared -nostdlib -x assembler -o " + path_ + " -";
    std::FILE* const compiler = popen(command.c_str(), "w");
    std::fputs((".text\n.type f,@function\nf:\n.cfi_startproc\n" + text +
                "\nret\n.cfi_endproc\n.size f,.-f\n")
                   .c_str(),
               compiler);
    pclose(compiler);
    found = find_atomic_sites(path_);
  }
  ~Assembled() { std::remove(path_.c_str()); }

  AtomicSites found;

 private:
  std::string path_;
};

TEST(AtomicSites, AreLockedInstructionsAndExchangesWithMemory) {
  const Assembled code(
      "lock incl 8(%rdi)\nxchg %eax, %ecx\nxchgb %ah, (%rsi,%rdx,4)\nmov (%rdi), %eax\n"
      "lock cmpxchg16b %fs:(%rbx)\nlock btsq %r9, 64(%r12)");
  ASSERT_EQ(code.found.sites.size(), 4u);
  const auto& sites = code.found.sites;
  EXPECT_EQ(sites[0].form, AtomicForm::Increment);
  EXPECT_EQ(sites[0].displacement, 8);
  EXPECT_EQ(sites[0].size, 4);
  EXPECT_EQ(sites[1].form, AtomicForm::Exchange);
  EXPECT_EQ(sites[1].source, kHighByte);
  EXPECT_EQ(sites[1].index, 2);
  EXPECT_EQ(sites[1].scale, 4);
  EXPECT_EQ(sites[2].form, AtomicForm::CompareExchangePair);
  EXPECT_EQ(sites[2].size, 16);
  EXPECT_EQ(sites[2].segment, SegmentBase::Fs);
  EXPECT_EQ(sites[3].source, 9);
  EXPECT_EQ(sites[3].base, 12);
}

TEST(AtomicSites, BytesOfAllRegistersHaveTheirRegistersNumber) {
  const Assembled code(
      "lock xadd %al, (%rdi)\nlock xadd %bl, (%rdi)\nlock xadd %sil, (%rdi)\n"
      "lock xadd %bpl, (%rdi)\nlock xadd %r8b, (%rdi)\nlock xadd %r15b, (%rdi)");
  ASSERT_EQ(code.found.sites.size(), 6u);
  const int expected[] = {0, 3, 6, 5, 8, 15};
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(code.found.sites[i].source, expected[i]);
}

TEST(AtomicSites, AFenceIsNone) {
  EXPECT_TRUE(Assembled("lock orq $0, (%rsp)\nmfence").found.sites.empty());
}

TEST(AtomicSites, AShortInstructionTakesItsNeighboursAlong) {
  const Assembled code("1: xchg %al, (%rdi)\ntest %al, %al\njne 1b");
  ASSERT_EQ(code.found.sites.size(), 1u);
  const PatchSite& site = code.found.sites[0];
  EXPECT_EQ(site.length, 2);
  EXPECT_EQ(site.span, 6);
  EXPECT_EQ(site.branch, 0x75);
  EXPECT_EQ(site.branch_target, 0);
}

TEST(AtomicSites, WhereSomebodyJumpsBehindItATrapMustDo) {
  const Assembled code("jne 1f\nxchg %al, (%rdi)\n1: test %al, %al\nnopl (%rax)");
  ASSERT_EQ(code.found.sites.size(), 1u);
  EXPECT_EQ(code.found.sites[0].span, 0);
}

TEST(AtomicSites, WhereAJumpGoesByARegisterATrapMustDo) {
  const Assembled code("xchg %al, (%rdi)\ntest %al, %al\nnopl (%rax)\njmp *%rdx");
  ASSERT_EQ(code.found.sites.size(), 1u);
  EXPECT_EQ(code.found.sites[0].span, 0);
}

TEST(AtomicSites, AFunctionWithBytesThatAreNoInstructionIsLeftAlone) {
  const Assembled code("lock cmpxchg %ecx, (%rdi)\n.byte 0x06, 0x07\nnop");
  EXPECT_TRUE(code.found.sites.empty());
  EXPECT_EQ(code.found.unsure_count, 1u);
}

TEST(AtomicSites, ADamagedFileHasNone) {
  EXPECT_TRUE(find_atomic_sites("/dev/null").sites.empty());
  EXPECT_TRUE(find_atomic_sites("/etc/passwd").sites.empty());
}

}  // namespace
}  // namespace mazurka
