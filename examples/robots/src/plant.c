#include "plant.h"

#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "semaphores.h"
#include "trace.h"

Plant* plant_create(const Options* options) {
  int segment = shmget(IPC_PRIVATE, sizeof(Plant), 0600);
  if (segment < 0) fail("shmget");
  Plant* plant = shmat(segment, NULL, 0);
  if (plant == (void*)-1) fail("shmat");
  // It lives as long as somebody has it attached, so a crash leaves nothing behind.
  if (shmctl(segment, IPC_RMID, NULL) != 0) fail("shmctl");
  memset(plant, 0, sizeof *plant);
  plant->options = *options;
  table_clear(&plant->table);
  for (int side = 0; side < SIDES; ++side) {
    mailbox_clear(&plant->mailbox[side], (Side)side);
    tray_clear(&plant->tray[side]);
  }
  semaphores_create();
  return plant;
}

void plant_remove(Plant* plant) {
  semaphores_remove();
  if (shmdt(plant) != 0) fail("shmdt");
}
