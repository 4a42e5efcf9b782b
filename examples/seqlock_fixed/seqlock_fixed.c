// A seqlock: the writer makes the sequence odd while it writes; a reader waits until it is even,
// and starts over after a change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int sequence, x, y;

void* writer(void* unused) {
  sequence++;
  x = 1;
  y = 1;
  sequence++;
  return NULL;
}

void* reader(void* unused) {
  int before, seen_x, seen_y;
  do {
    while ((before = sequence) % 2 != 0) {
    }
    seen_x = x;
    seen_y = y;
  } while (sequence != before);
  assert(seen_x == seen_y);
  return NULL;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
