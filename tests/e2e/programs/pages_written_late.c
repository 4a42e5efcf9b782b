// expect: executions=3360 transitions=16800 optimal=1680 verdict=ok reset=in-place
// Hundreds of executions write the same pages; then one writes others, which all later ones must
// find as they were. What an execution that does not would do is seen: it names a new object, and a
// new thread.
#include <mazurka/mazurka.h>
#include <pthread.h>
#include <stdlib.h>

enum { kPage = 4096, kChoices = 840, kEvery = 100 };
static char pages[16][kPage];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* add(void* nothing) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return nothing;
}

static void find_pages_as_they_were(void) {
  for (int i = 0; i < 16; ++i) {
    for (int at = 0; at < kPage; at += 8) {
      if (pages[i][at] == 0) continue;
      pthread_t thread;
      pthread_mutex_lock(&other);
      pthread_create(&thread, NULL, add, NULL);
      pthread_join(thread, NULL);
      abort();
    }
  }
}

int main(void) {
  find_pages_as_they_were();
  const int choice = mz_toss(kChoices - 1);
  find_pages_as_they_were();
  if (choice % kEvery == kEvery - 1) pages[choice / kEvery][8 * (choice % 500)] = 1;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
