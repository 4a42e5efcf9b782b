#include "program/binary/random_instructions.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

// Never called: it is enough that it is there.
[[gnu::used, gnu::noinline]] unsigned ask_processor() {
  unsigned value = 0;
  asm volatile("rdrand %0" : "=r"(value));
  return value;
}

TEST(RandomInstructions, OfThisProgramAreFound) {
  EXPECT_NE(first_random_instruction("/proc/self/exe"), 0u);
}

TEST(RandomInstructions, OfFilesThatAreNotThereOrThatHaveNoneAreNotFound) {
  EXPECT_EQ(first_random_instruction("/does/not/exist"), 0u);
  EXPECT_EQ(first_random_instruction("/bin/true"), 0u);
}

}  // namespace
}  // namespace mazurka
