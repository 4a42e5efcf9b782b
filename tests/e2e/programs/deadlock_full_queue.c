// expect: executions=2 transitions=4 verdict=error findings=deadlock
// Two threads that send to each other before they receive: a queue with one place is too small for
// two messages. Whoever sends first: each sends once, and then both wait.
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdint.h>

static mqd_t queues[2];

static void* peer(void* number) {
  const intptr_t me = (intptr_t)number;
  char bytes[8];
  for (int i = 0; i < 2; ++i) mq_send(queues[1 - me], "m", 1, 0);  // mazurka: deadlock
  for (int i = 0; i < 2; ++i) mq_receive(queues[me], bytes, 8, NULL);
  return NULL;
}

int main(void) {
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};
  queues[0] = mq_open("/zero", O_RDWR | O_CREAT, 0600, &attributes);
  queues[1] = mq_open("/one", O_RDWR | O_CREAT, 0600, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, peer, (void*)1);
  peer((void*)0);
  pthread_join(thread, NULL);
}
