// expect: verdict=error findings=memory
// Two writers append to a buffer with room for three numbers: which of them is cut short by the
// limit is asked too early.
#include <pthread.h>
#include <stdlib.h>

enum { kRoom = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int* numbers;
static int count;

static void* append_two(void* nothing) {
  pthread_mutex_lock(&mutex);
  const int fits = count + 2 <= kRoom;
  pthread_mutex_unlock(&mutex);
  if (!fits) return nothing;
  pthread_mutex_lock(&mutex);
  numbers[count++] = 1;
  numbers[count++] = 2;
  pthread_mutex_unlock(&mutex);
  return nothing;
}

int main(void) {
  numbers = malloc(kRoom * sizeof *numbers);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, append_two, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free(numbers);  // mazurka: memory
  return 0;
}
