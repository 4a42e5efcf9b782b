// expect: executions=4 transitions=20 optimal=2 verdict=error findings=assertion
// Two threads write into one stream: what is in it first is up to them.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE* stream;

static void* put(void* text) {
  fputs(text, stream);
  return NULL;
}

int main(void) {
  char* bytes = NULL;
  size_t size = 0;
  stream = open_memstream(&bytes, &size);
  pthread_t first, second;
  pthread_create(&first, NULL, put, "a");
  pthread_create(&second, NULL, put, "b");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  fclose(stream);
  assert(bytes[0] == 'a');  // mazurka: assertion
}
