// expect: executions=390 transitions=1737 verdict=ok
// Two processes send, a third opens the queue by its name and receives: the urgent message first,
// if both are there.
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <unistd.h>

static void send_and_leave(mqd_t queue, unsigned priority) {
  assert(mq_send(queue, "message", 7, priority) == 0);
  _exit(0);
}

int main(void) {
  mqd_t queue = mq_open("/between", O_RDWR | O_CREAT, 0600, NULL);
  for (unsigned i = 0; i < 2; ++i) {
    if (fork() == 0) send_and_leave(queue, i);
  }
  mqd_t again = mq_open("/between", O_RDONLY);
  char bytes[8192];
  unsigned first, second;
  assert(mq_receive(again, bytes, sizeof bytes, &first) == 7);
  assert(mq_receive(again, bytes, sizeof bytes, &second) == 7);
  assert(first != second);
  while (wait(NULL) > 0) {
  }
}
