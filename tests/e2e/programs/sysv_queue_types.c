// expect: executions=78 transitions=366 verdict=ok
// Two clients share a queue of requests and one of answers, where each takes those with its own
// type.
#include <assert.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
  long type;
  long number;
};

static int requests, answers;

static void client(long me) {
  struct message message = {.type = 1, .number = me};
  assert(msgsnd(requests, &message, sizeof message.number, 0) == 0);
  assert(msgrcv(answers, &message, sizeof message.number, me, 0) == sizeof message.number);
  assert(message.number == 10 * me);
  _exit(0);
}

int main(void) {
  requests = msgget(IPC_PRIVATE, 0600);
  answers = msgget(IPC_PRIVATE, 0600);
  for (long i = 1; i <= 2; ++i) {
    if (fork() == 0) client(i);
  }
  for (int i = 0; i < 2; ++i) {
    struct message message;
    assert(msgrcv(requests, &message, sizeof message.number, 0, 0) == sizeof message.number);
    message.type = message.number;
    message.number *= 10;
    assert(msgsnd(answers, &message, sizeof message.number, 0) == 0);
  }
  while (wait(NULL) > 0) {
  }
}
