// Six processes and a table: a store sends objects down a chute; a feeder drops them on a table;
// two robots collect them; a carrier takes their trays away; and now and then a visitor bumps
// against the table.
#include <mazurka/mazurka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plant.h"
#include "processes.h"
#include "semaphores.h"
#include "trace.h"

static void run_left(Plant* plant) { run_robot(plant, LEFT); }
static void run_right(Plant* plant) { run_robot(plant, RIGHT); }

typedef struct {
  const char* name;
  void (*run)(Plant* plant);
} Process;

// The first process itself is the store.
static const Process kProcesses[] = {
    {"left", run_left},       {"right", run_right},     {"feeder", run_feeder},
    {"visitor", run_visitor}, {"carrier", run_carrier},
};
enum { PROCESSES = sizeof kProcesses / sizeof kProcesses[0] };

static pid_t start(const Process* process, Plant* plant) {
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) return child;
  trace_begin(process->name, plant->options.verbose);
  process->run(plant);
  exit(0);
}

static void await(pid_t child, const char* name) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) fail("waitpid");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  fprintf(stderr, "plant: the %s process did not end well\n", name);
  exit(1);
}

// Nothing was lost, and nothing was collected twice.
static void compare_books(const Plant* plant) {
  const Ledger* dropped = &plant->feeder_ledger;
  int collected = 0;
  for (int side = 0; side < SIDES; ++side) collected += plant->ledger[side].count;
  mz_assert(collected == dropped->count);
  for (int i = 0; i < dropped->count; ++i) {
    Object object = dropped->objects[i];
    mz_assert(ledger_has(&plant->ledger[LEFT], object) !=
              ledger_has(&plant->ledger[RIGHT], object));
  }
  mz_assert(plant->table.count == 0);
  mz_assert(table_is_sound(&plant->table));
}

int main(int argc, char** argv) {
  Options options = read_options(argc, argv);
  Plant* plant = plant_create(&options);
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; ++i) children[i] = start(&kProcesses[i], plant);
  trace_begin("store", options.verbose);
  run_store(plant);
  for (int i = 0; i < PROCESSES; ++i) await(children[i], kProcesses[i].name);
  compare_books(plant);
  printf("%d dropped, %d collected by the left robot, %d by the right one\n",
         plant->feeder_ledger.count, plant->ledger[LEFT].count, plant->ledger[RIGHT].count);
  plant_remove(plant);
  return 0;
}
