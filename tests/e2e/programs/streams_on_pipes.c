// expect: verdict=ok
// A stream on a pipe reads and writes as the descriptor does.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];
enum { kLines = 100 };

static void* writer(void* unused) {
  FILE* stream = fdopen(ends[1], "w");
  assert(stream != NULL && fileno(stream) == ends[1]);
  for (int i = 0; i < kLines; ++i) assert(fprintf(stream, "line %d\n", i) > 0);
  assert(fclose(stream) == 0);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  FILE* stream = fdopen(ends[0], "r");
  pthread_t thread;
  assert(stream != NULL && pthread_create(&thread, NULL, writer, NULL) == 0);
  char line[64], expected[64];
  for (int i = 0; i < kLines; ++i) {
    snprintf(expected, sizeof expected, "line %d\n", i);
    assert(fgets(line, sizeof line, stream) != NULL && strcmp(line, expected) == 0);
  }
  assert(fgets(line, sizeof line, stream) == NULL && feof(stream));
  assert(fclose(stream) == 0);
  assert(pthread_join(thread, NULL) == 0);
}
