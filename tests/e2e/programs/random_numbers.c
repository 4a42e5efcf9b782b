// expect: verdict=error findings=assertion executions=2
// rand() draws from one sequence that all threads share: who comes first gets the first number.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int first, second;

static void* draw(void* to) {
  *(int*)to = rand();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  srand(1);
  const int numbers[] = {rand(), rand()};
  srand(1);
  pthread_create(&threads[0], NULL, draw, &first);
  pthread_create(&threads[1], NULL, draw, &second);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(first == numbers[0]);  // mazurka: assertion
  return 0;
}
