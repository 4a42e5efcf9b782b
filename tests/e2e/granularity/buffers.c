/* Each thread works in a block of its own and on its stack. INTRUDES: the second one uses the first
 * one's. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int* blocks[2];
static int* locals[2];
static pthread_barrier_t ready;
static int sum;

static int* allocate(void) { return calloc(4, sizeof(int)); }
static int* make_buffer(void) { return allocate(); }

__attribute__((noinline)) static void fill(int* numbers) {
  for (int i = 0; i < 3; ++i) numbers[i] += i;
}

static void* work(void* number) {
  const long me = (long)number;
  int local[4] = {0};
  blocks[me] = make_buffer();
  locals[me] = local;
  fill(blocks[me]);
  fill(locals[me]);
  pthread_barrier_wait(&ready);
#ifdef INTRUDES
  if (me == 1) blocks[0][0]++; /* heap */
  if (me == 1) locals[0][0]++; /* stack */
#endif
  pthread_barrier_wait(&ready);
  int before = sum; /* lost update */
  sum = before + blocks[me][2] + local[2];
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&ready, 0, 2);
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  free(blocks[0]);
  free(blocks[1]);
  assert(sum == 8);
  return 0;
}
