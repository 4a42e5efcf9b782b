// C: a structure from malloc that a thread gets as void *. Nobody posts its semaphore.
// kind: deadlock
// name: job->done
// why: waits for job->done at @here, and nobody who could post it can go on
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct job {
  int input, output;
  sem_t done;
};

static void* work(void* argument) {
  struct job* job = argument;
  job->output = job->input * 2;
  if (job->output > 10) sem_post(&job->done);
  return NULL;
}

int main(void) {
  struct job* job = calloc(1, sizeof *job);
  pthread_t worker;
  job->input = 4;
  sem_init(&job->done, 0, 0);
  pthread_create(&worker, NULL, work, job);
  // Too small a job: it never says that it is done.
  sem_wait(&job->done);  // mazurka: deadlock
  pthread_join(worker, NULL);
  free(job);
  return 0;
}
