// What a call that is one operation may do: take locks, then give them back. Its argument says what
// else it does.
#include <pthread.h>
#include <semaphore.h>

#include <csetjmp>
#include <cstdlib>
#include <stdexcept>

enum Mode { SYNCHRONIZED, TWO_LOCKS, RECURSIVE, TWICE, POSTS, ATOMIC, TRIES, THROWS, JUMPS };

static Mode mode;
pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
sem_t done;
int counter;
int hits;

__attribute__((noinline)) void helper() {
  if (mode == POSTS) sem_post(&done);  // inside: POSTS
}

#ifdef INLINED
#define HOW __attribute__((always_inline)) inline
#else
#define HOW __attribute__((noinline))
#endif

HOW void operation(jmp_buf* back) {
  pthread_mutex_lock(&outer);
  if (mode == TWO_LOCKS || mode == RECURSIVE) pthread_mutex_lock(&inner);
  if (mode == RECURSIVE) {
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&inner);
  }
  ++counter;
  helper();
  if (mode == ATOMIC) __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);  // inside: ATOMIC
  const bool tries = mode == TRIES;
  if (tries && pthread_mutex_trylock(&inner) == 0) pthread_mutex_unlock(&inner);  // inside: TRIES
  if (mode == TWO_LOCKS || mode == RECURSIVE) pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  if (mode == THROWS) throw std::runtime_error("over");
  if (mode == JUMPS) longjmp(*back, 1);
  if (mode == TWICE) {
    pthread_mutex_lock(&outer);  // inside: TWICE
    ++counter;
    pthread_mutex_unlock(&outer);
  }
}

void* work(void*) {
  jmp_buf back;
  for (volatile int i = 0; i < 2; ++i) {
    try {
      if (setjmp(back) == 0) operation(&back);
    } catch (const std::runtime_error&) {
    }
    sem_post(&done);  // after the call: nothing is wrong
  }
  return nullptr;
}

int main(int, char** arguments) {
  mode = Mode(std::atoi(arguments[1]));
  sem_init(&done, 0, 0);
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, work, nullptr);
  for (pthread_t& thread : threads) pthread_join(thread, nullptr);
  return 0;
}
