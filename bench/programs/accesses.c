// What an instrumented memory access costs: cycles for each, written to the file that is given.
// Built once with ThreadSanitizer and once with mazurka-cc; access_bench.py compares.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

enum { kWords = 4096, kRounds = 200, kRepetitions = 20 };
static volatile long words[kWords];
static volatile long shared[kWords];
static volatile char bytes[kWords];

static void read_words(void) {
  for (int i = 0; i < kWords; ++i) (void)words[i];
}
static void write_words(void) {
  for (int i = 0; i < kWords; ++i) words[i] = i;
}
static void update_one(void) {
  for (int i = 0; i < kWords; ++i) words[7]++;
}
static void write_bytes(void) {
  for (int i = 0; i < kWords; ++i) bytes[i] = 1;
}
static void read_shared(void) {
  for (int i = 0; i < kWords; ++i) (void)shared[i];
}

static double cycles_of(void (*loop)(void), int accesses) {
  double best = 1e9;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const uint64_t begin = __rdtsc();
    for (int round = 0; round < kRounds / 20; ++round) loop();
    const double each = (double)(__rdtsc() - begin) / (kRounds / 20) / kWords / accesses;
    if (each < best) best = each;
  }
  return best;
}

static void* other(void* unused) {
  read_shared();
  return unused;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, other, NULL);
  const double results[] = {cycles_of(read_words, 1), cycles_of(write_words, 1),
                            cycles_of(update_one, 2), cycles_of(write_bytes, 1),
                            cycles_of(read_shared, 1)};
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  FILE* out = fopen(argv[1], "w");
  if (out == NULL) return 1;
  for (int i = 0; i < 5; ++i) fprintf(out, "%.2f\n", results[i]);
  fclose(out);
  return 0;
}
