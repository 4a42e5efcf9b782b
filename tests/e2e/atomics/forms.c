// check: verdict=ok locked=yes
// Every locked instruction that there is, in all sizes and ways to name memory, does to memory,
// registers and flags what it does without its prefix, while it is an operation: another thread is
// there.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static const uint64_t values[] = {0,      1,      2,          0x7f,       0x80,       0xff,
                                  0x7fff, 0x8000, 0x7fffffff, 0x80000000, ~0ull >> 1, ~0ull};
enum { kValues = sizeof values / sizeof *values };
static uint64_t memory[4];
static __thread uint64_t own[2];
enum { kArithmetic = 0x8d5 };

// The instruction on one word, with a register and the carry flag; gives back the flags.
#define FORM(name, prefix, instruction)                                                    \
  static uint64_t name(uint64_t* word, uint64_t* with, uint64_t* rax, uint64_t carry) {    \
    uint64_t flags;                                                                        \
    __asm__ volatile("leaq -128(%%rsp), %%rsp; pushq %[carry]; popfq; " prefix instruction \
                     "; pushfq; popq %[flags]; leaq 128(%%rsp), %%rsp"                     \
                     : [flags] "=&r"(flags), [with] "+r"(*with), "+a"(*rax)                \
                     : [word] "r"(word), [carry] "r"(carry)                                \
                     : "memory", "cc");                                                    \
    return flags & kArithmetic;                                                            \
  }
#define BOTH(name, instruction) \
  FORM(plain_##name, "", instruction) FORM(locked_##name, "lock; ", instruction)
#define TWO_FORMS(name)                        \
  BOTH(name##_b, #name " %b[with], (%[word])") \
  BOTH(name##_w, #name " %w[with], (%[word])") \
  BOTH(name##_k, #name " %k[with], (%[word])") BOTH(name##_q, #name " %q[with], (%[word])")
#define ONE_FORMS(name)               \
  BOTH(name##_b, #name "b (%[word])") \
  BOTH(name##_w, #name "w (%[word])") \
  BOTH(name##_k, #name "l (%[word])") BOTH(name##_q, #name "q (%[word])")
#define BIT_FORMS(name)                        \
  BOTH(name##_w, #name " %w[with], (%[word])") \
  BOTH(name##_k, #name " %k[with], (%[word])") \
  BOTH(name##_q, #name " %q[with], (%[word])") BOTH(name##_number, #name "l $37, (%[word])")
// clang-format off: these are whole functions
TWO_FORMS(add)
TWO_FORMS(adc)
TWO_FORMS(sub)
TWO_FORMS(sbb)
TWO_FORMS(and)
TWO_FORMS(or)
TWO_FORMS(xor)
TWO_FORMS(xadd)
TWO_FORMS(cmpxchg)
ONE_FORMS(inc)
ONE_FORMS(dec)
ONE_FORMS(neg)
ONE_FORMS(not )
BIT_FORMS(bts)
BIT_FORMS(btr)
BIT_FORMS(btc)
BOTH(add_number, "addl $-5, (%[word])")
BOTH(or_number, "orb $16, (%[word])")
// clang-format on

typedef uint64_t Form(uint64_t*, uint64_t*, uint64_t*, uint64_t);
#define PAIR(name) \
  { plain_##name, locked_##name }
#define FOUR(name) PAIR(name##_b), PAIR(name##_w), PAIR(name##_k), PAIR(name##_q)
static Form* const forms[][2] = {FOUR(add),     FOUR(adc),        FOUR(sub),      FOUR(sbb),
                                 FOUR(and),     FOUR(or),         FOUR(xor),      FOUR(xadd),
                                 FOUR(cmpxchg), FOUR(inc),        FOUR(dec),      FOUR(neg),
                                 FOUR(not ),    PAIR(add_number), PAIR(or_number)};
static Form* const bit_forms[][2] = {PAIR(bts_w), PAIR(bts_k), PAIR(bts_q), PAIR(bts_number),
                                     PAIR(btr_w), PAIR(btr_k), PAIR(btr_q), PAIR(btr_number),
                                     PAIR(btc_w), PAIR(btc_k), PAIR(btc_q), PAIR(btc_number)};

static void compare(Form* const form[2], uint64_t old, uint64_t with, uint64_t rax,
                    uint64_t carry) {
  uint64_t words[2][3] = {{~0ull, old, 5}, {~0ull, old, 5}};
  uint64_t withs[2] = {with, with}, raxs[2] = {rax, rax}, flags[2];
  for (int i = 0; i < 2; ++i) flags[i] = form[i](&words[i][1], &withs[i], &raxs[i], carry);
  assert(memcmp(words[0], words[1], sizeof words[0]) == 0);
  assert(withs[0] == withs[1] && raxs[0] == raxs[1]);
  assert(flags[0] == flags[1]);
}

static void arithmetic(void) {
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; ++i) {
    for (int a = 0; a < kValues; ++a) {
      const uint64_t old = values[a], with = values[(a * 5 + i) % kValues];
      compare(forms[i], old, with, a % 2 ? old : with, a & 1);
    }
  }
}

static void bits(void) {
  for (unsigned i = 0; i < sizeof bit_forms / sizeof *bit_forms; ++i) {
    for (int bit = -17; bit < 100; bit += 13) compare(bit_forms[i], 0x8421, (uint64_t)bit, 0, 0);
  }
}

static void addresses(void) {
  uint64_t value = 7, index = 2;
  memory[0] = memory[2] = memory[3] = 1;
  __asm__ volatile("xchgq %0, memory+8(%%rip)" : "+r"(value)::"memory");
  assert(value == 0 && memory[1] == 7);
  value = 9;
  __asm__ volatile("lock; xaddq %0, 8(%1,%2,8)"
                   : "+r"(value)
                   : "r"(memory), "r"(index)
                   : "memory", "cc");
  assert(value == 1 && memory[3] == 10);
  __asm__ volatile("movb $3, %%ah; lock; xaddb %%ah, (%0); movb %%ah, 1(%0)" ::"r"(memory)
                   : "rax", "memory", "cc");
  assert(memory[0] == (4 | 1 << 8));
  own[0] = 40;
  uint64_t offset = (uint64_t)own;
  __asm__("subq %%fs:0, %0" : "+r"(offset));
  __asm__ volatile("lock; addq $2, %%fs:(%0)" ::"r"(offset) : "memory", "cc");
  assert(own[0] == 42);
}

static void pairs(void) {
  static uint64_t pair[2] __attribute__((aligned(16))) = {1, 2};
  uint64_t low = 1, high = 3;
  unsigned char equal;
  __asm__ volatile("lock; cmpxchg16b %3; sete %0"
                   : "=q"(equal), "+a"(low), "+d"(high), "+m"(*pair)
                   : "b"(5ull), "c"(6ull)
                   : "memory", "cc");
  assert(!equal && low == 1 && high == 2 && pair[0] == 1 && pair[1] == 2);
  __asm__ volatile("lock; cmpxchg16b %3; sete %0"
                   : "=q"(equal), "+a"(low), "+d"(high), "+m"(*pair)
                   : "b"(5ull), "c"(6ull)
                   : "memory", "cc");
  assert(equal && pair[0] == 5 && pair[1] == 6);
  low = 5, high = 0;
  __asm__ volatile("lock; cmpxchg8b %3; sete %0"
                   : "=q"(equal), "+a"(low), "+d"(high), "+m"(*pair)
                   : "b"(8ull), "c"(9ull)
                   : "memory", "cc");
  assert(equal && pair[0] == (8 | 9ull << 32));
}

// What lies below the stack pointer, and in vector registers, stays.
__attribute__((noinline)) static void untouched(void) {
  uint64_t below = 0, one = 1;
  double vector = 0;
  __asm__ volatile(
      "movq $77, -120(%%rsp); movq $88, -8(%%rsp); movq %3, %%xmm9; movq %%xmm9, %%xmm15;"
      "lock; xaddq %3, %2; movq -120(%%rsp), %0; addq -8(%%rsp), %0; movq %%xmm15, %1"
      : "=&r"(below), "=&x"(vector), "+m"(memory[2]), "+r"(one)::"memory", "cc", "xmm9", "xmm15");
  uint64_t kept;
  memcpy(&kept, &vector, sizeof kept);
  assert(below == 165 && kept == 1);
}

static void* waits(void* unused) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(void) {
  arithmetic();  // alone: done at once
  pthread_t other;
  pthread_mutex_lock(&gate);
  pthread_create(&other, NULL, waits, NULL);
  arithmetic();
  bits();
  addresses();
  pairs();
  untouched();
  pthread_mutex_unlock(&gate);
  pthread_join(other, NULL);
  return 0;
}
