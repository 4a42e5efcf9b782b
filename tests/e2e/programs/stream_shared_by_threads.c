// expect: executions=4 transitions=21 verdict=ok
// Two threads write into the buffer of one stream: who comes first shows in the file.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE* stream;

static void* put(void* text) {
  assert(fputs(text, stream) >= 0);
  return NULL;
}

int main(void) {
  stream = fopen("log", "w+");
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, put, "one ");
  pthread_create(&threads[1], NULL, put, "two ");
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  char text[16] = {0};
  rewind(stream);
  assert(fread(text, 1, 15, stream) == 8 &&
         (strcmp(text, "one two ") == 0 || strcmp(text, "two one ") == 0));
  assert(fclose(stream) == 0);
}
