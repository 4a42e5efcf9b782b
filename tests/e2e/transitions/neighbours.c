// Two variables in one word of memory, each with a lock of its own: sections of different locks
// commute.
//   WHOLE: one of them copies the word as a whole, with both locks held: then they do not.
//   BYTES: they are single bytes.
#include <pthread.h>
#include <stdint.h>

#ifdef BYTES
typedef int8_t number;
#else
typedef int32_t number;
#endif

static union {
  _Alignas(8) number each[2];
  uint64_t both;
} word;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
uint64_t copy[2];

static void* count(void* number) {
  const long me = (long)number;
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&locks[me]);
    ++word.each[me];
    pthread_mutex_unlock(&locks[me]);
  }
#ifdef WHOLE
  if (me == 0) {
    pthread_mutex_lock(&locks[0]);
    pthread_mutex_lock(&locks[1]);
    copy[me] = word.both;
    pthread_mutex_unlock(&locks[1]);
    pthread_mutex_unlock(&locks[0]);
  }
#endif
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, count, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
