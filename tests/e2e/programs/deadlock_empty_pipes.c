// expect: verdict=error findings=deadlock
// Two threads that read what the other will never write: nobody can move, and they do not wake each
// other by trying again.
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void* reader(void* unused) {
  char byte;
  if (read(second[0], &byte, 1) == 1 && write(first[1], "x", 1) != 1) return NULL;
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  if (pipe(first) != 0 || pipe(second) != 0) return 1;
  pthread_create(&thread, NULL, reader, NULL);
  if (read(first[0], &byte, 1) == 1 && write(second[1], "x", 1) != 1) return 1;
  pthread_join(thread, NULL);
}
