#include "chute.h"

#include "semaphores.h"

void chute_send(Chute* chute, Object object) {
  semaphore_wait(SEM_CHUTE_FREE);
  chute->object = object;
  semaphore_post(SEM_CHUTE_FULL);
}

void chute_close(Chute* chute) { chute_send(chute, NO_OBJECT); }

bool chute_receive(Chute* chute, Object* object) {
  semaphore_wait(SEM_CHUTE_FULL);
  *object = chute->object;
  semaphore_post(SEM_CHUTE_FREE);
  return *object != NO_OBJECT;
}
