/* The same questions in C: nested types, static locals, semaphores. Read by source_map_test. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#include "source/testdata/forks.h"
#include "source/testdata/probe.h"

typedef struct {
  int id;
  struct {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
  } gate;
  unsigned busy : 1;
  char name[8];
} slot_t;

typedef slot_t row_t[2];

struct ring {
  row_t rows[3];
  sem_t free_slots;
  const volatile int* last;
};

struct ring ring;
static pthread_mutex_t forks[3];
static int grid[2][3][4];
int counter;

static __attribute__((noinline)) void philosopher(int seat) {
  static pthread_mutex_t chopstick;
  static int* volatile escape;
  int meals = 0;
  escape = &meals;
  probe_data("philosopher::chopstick", &chopstick);
  probe_next_lock("c_function", "philosopher");
  pthread_mutex_lock(&forks[seat]); /* line: c_function */
  *escape += seat;
}

int main(void) {
  probe_modules();
  probe_data("ring.rows[2][1].gate.mutex", &ring.rows[2][1].gate.mutex);
  probe_data("ring.rows[0][1].gate.filled", (char*)&ring.rows[0][1].gate.filled + 12);
  probe_data("ring.rows[1][0].name[5]", &ring.rows[1][0].name[5]);
  probe_data("ring.rows[1][0].busy", (char*)&ring.rows[1][0].name - 1);
  probe_data("ring.free_slots", &ring.free_slots);
  probe_data("ring.last+0x2", (char*)&ring.last + 2);
  probe_data("forks[1]", &forks[1]);
  probe_data("grid[1][2][3]", &grid[1][2][3]);
  probe_data("counter", &counter);
  probe_data("table.forks[4]", &table.forks[4]);
  philosopher(2);
  return 0;
}
