// The semaphores of the plant: one System V set, created before the processes are.
#ifndef ROBOTS_SEMAPHORES_H
#define ROBOTS_SEMAPHORES_H

#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/types.h>

typedef enum {
  SEM_TABLE,        // 1: nobody is looking at the table or changing it
  SEM_AIRSPACE,     // 1: no arm is above the table
  SEM_CHUTE_FREE,   // 1: something can be put into the chute
  SEM_CHUTE_FULL,   // 1: something lies in it
  SEM_WORK_LEFT,    // messages for the left robot
  SEM_WORK_RIGHT,   // messages for the right one
  SEM_TRAY_LEFT,    // 1: the left robot's tray stands ready to be carried away
  SEM_TRAY_RIGHT,   // 1: the right one's does
  SEM_EMPTY_LEFT,   // empty trays that the left robot was given
  SEM_EMPTY_RIGHT,  // that the right one was given
  SEM_COUNT
} Semaphore;

// All of these end the process with a sentence if the system refuses.
void semaphores_create(void);
void semaphores_remove(void);

// Waits until the semaphore is positive, and takes one. The calls stand in macros so that a
// debugger shows the line that waits, and not this one.
#define semaphore_wait(semaphore) semaphore_change(semaphore, -1)
#define semaphore_post(semaphore) semaphore_change(semaphore, +1)

#define semaphore_change(semaphore, by)                                                      \
  do {                                                                                       \
    struct sembuf change_ = {.sem_num = (unsigned short)(semaphore), .sem_op = (short)(by)}; \
    while (semop(semaphore_set, &change_, 1) != 0) semaphore_refused();                      \
  } while (0)

extern int semaphore_set;
// Returns if the call was only interrupted.
void semaphore_refused(void);

#endif
