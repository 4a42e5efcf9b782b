// What a simulated program may do to its simulator: misbehaving
// crash|abort|unmodelled|diverge|nondeterminism
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
enum { kOthers = 4096 };
static pthread_mutex_t others[kOthers];
static const char* what;

// Another one each time, by a file of the kernel's that has another text whenever it is read.
static pthread_mutex_t* by_chance(void) {
  char text[9] = "";
  FILE* file = fopen("/proc/sys/kernel/random/uuid", "r");
  if (file == NULL || fread(text, 1, 8, file) != 8) abort();
  fclose(file);
  return &others[strtoul(text, NULL, 16) % kOthers];
}

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (strcmp(what, "crash") == 0) *(volatile int*)NULL = 1;
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "unmodelled") == 0) signalfd(-1, &(sigset_t){0}, 0);
  for (volatile int forever = strcmp(what, "diverge") == 0; forever;) {
  }
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(strcmp(what, "nondeterminism") == 0 ? by_chance() : &lock);
  return NULL;
}

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "";
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_join(thread, NULL);
}
