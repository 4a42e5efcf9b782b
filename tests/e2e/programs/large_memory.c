// expect: executions=182 transitions=1144 verdict=ok reset=in-place
// 50 MB of static data, 25 MB on the heap and 50 MB that nobody has touched yet, all there before
// main. Each order of the threads writes other pages of it: an execution that meets what an earlier
// one wrote fails an assertion.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kPage = 4096, kPages = 12800, kHeapPages = 6400, kFew = 20, kBand = 1600 };
static char filled[kPages][kPage];
static char untouched[kPages][kPage];
static char (*heap)[kPage];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned history = 1;
static unsigned sections;  // critical sections so far: each writes in a band of its own

__attribute__((constructor)) static void before_main(void) {
  heap = malloc((size_t)kHeapPages * kPage);
  for (unsigned i = 0; i < kPages; ++i) memset(filled[i], (int)(i % 251) + 1, kPage);
  for (unsigned i = 0; i < kHeapPages; ++i) memset(heap[i], (int)(i % 241) + 1, kPage);
}

static void all_is_as_it_was(void) {
  for (unsigned i = 0; i < kPages; ++i) {
    assert(filled[i][i % kPage] == (char)(i % 251 + 1));
    assert(filled[i][kPage - 1] == (char)(i % 251 + 1));
  }
  for (unsigned i = 0; i < kHeapPages; ++i) assert(heap[i][i % kPage] == (char)(i % 241 + 1));
}

// Pages that follow from who came before whom, and some that are written every time.
static void write_pages(unsigned from) {
  for (unsigned i = 0; i < kFew; ++i) {
    const unsigned page = sections * kBand + (from * 7919 + i * 131) % kBand;
    assert(untouched[page][5] == 0);
    untouched[page][5] = 1;
    filled[page][page % kPage] = 0;
    filled[page][kPage - 1] = 0;
    heap[page % kHeapPages][page % kHeapPages % kPage] = 0;
    filled[i][17] = (char)from;
  }
  ++sections;
}

static void use_stack(unsigned depth) {
  char room[kPage];
  memset(room, (int)depth, sizeof room);
  __asm__ volatile("" : : "r"(room) : "memory");
  if (depth > 0) use_stack(depth - 1);
}

static void* work(void* number) {
  for (int round = 0; round < 4; ++round) {
    pthread_mutex_lock(&mutex);
    history = history * 2 + (unsigned)(size_t)number;
    write_pages(history);
    use_stack(history % 64);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  all_is_as_it_was();
  pthread_t threads[2];
  for (size_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
