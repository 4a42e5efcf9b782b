// N threads read a variable on the first thread's stack, which that thread writes: 2^N traces.
#include <pthread.h>
#include <stdlib.h>

#ifdef PLAIN
#define READ(at) (*(volatile int*)(at))
#define WRITE(at, value) (*(volatile int*)(at) = (value))
#else
#define READ(at) __atomic_load_n((int*)(at), __ATOMIC_SEQ_CST)
#define WRITE(at, value) __atomic_store_n((at), (value), __ATOMIC_SEQ_CST)
#endif

static void* reader(void* variable) {
  (void)READ(variable);
  return NULL;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 2;
  int variable = 0;
  pthread_t threads[16];
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, reader, &variable);
  WRITE(&variable, 1);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  return 0;
}
