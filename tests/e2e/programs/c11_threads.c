// expect: executions=7 transitions=151 verdict=ok
// The C11 names: the same operations as the pthread ones.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int ready, runs, destroyed;

static void run(void) { ++runs; }
static void destroy(void* value) { destroyed += *(int*)value; }

static int worker(void* argument) {
  call_once(&once, run);
  assert(runs == 1);
  assert(tss_set(key, argument) == thrd_success && tss_get(key) == argument);
  assert(mtx_lock(&mutex) == thrd_success);
  ready = 1;
  assert(cnd_signal(&condition) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  return -3;
}

static int leaver(void* unused) {
  (void)unused;
  thrd_exit(4);
}

int main(void) {
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(cnd_init(&condition) == thrd_success);
  assert(tss_create(&key, destroy) == thrd_success);
  static int five = 5;
  thrd_t thread;
  assert(thrd_create(&thread, worker, &five) == thrd_success);
  assert(!thrd_equal(thread, thrd_current()));
  assert(mtx_lock(&mutex) == thrd_success);
  while (!ready) assert(cnd_wait(&condition, &mutex) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  call_once(&once, run);
  int result = 0;
  assert(thrd_join(thread, &result) == thrd_success && result == -3);
  assert(runs == 1 && destroyed == 5);

  assert(thrd_create(&thread, leaver, NULL) == thrd_success);
  assert(thrd_join(thread, &result) == thrd_success && result == 4);
  assert(mtx_trylock(&mutex) == thrd_success);
  assert(mtx_trylock(&mutex) == thrd_busy);
  struct timespec time;
  assert(timespec_get(&time, TIME_UTC) == TIME_UTC);
  assert(mtx_timedlock(&mutex, &time) == thrd_timedout);
  assert(cnd_timedwait(&condition, &mutex, &time) == thrd_timedout);
  assert(mtx_unlock(&mutex) == thrd_success);
  thrd_yield();
  const struct timespec moment = {0, 1000};
  assert(thrd_sleep(&moment, NULL) == 0);
  mtx_destroy(&mutex);
  cnd_destroy(&condition);
  assert(mtx_init(&mutex, mtx_recursive) == thrd_success);
  assert(mtx_lock(&mutex) == thrd_success && mtx_lock(&mutex) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success && mtx_unlock(&mutex) == thrd_success);
  tss_delete(key);
}
