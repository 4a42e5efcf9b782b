// A child reads what its parent has written: for the simulator to show what lies in the pipe, or
// with an argument in a queue.
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct letter {
  long type;
  char text[8];
};

static int by_queue(void) {
  struct letter letter = {2, "later"}, urgent = {1, "now"};
  const int queue = msgget(IPC_PRIVATE, 0600);
  if (fork() == 0) _exit(msgrcv(queue, &letter, sizeof letter.text, -2, 0) < 0);
  if (msgsnd(queue, &letter, 6, 0) != 0 || msgsnd(queue, &urgent, 4, 0) != 0) return 1;
  wait(0);
  return msgctl(queue, IPC_RMID, 0);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) return by_queue();
  int ends[2];
  char bytes[4];
  if (pipe(ends) != 0) return 1;
  if (fork() == 0) {
    if (read(ends[0], bytes, 2) != 2) _exit(1);
    if (read(ends[0], bytes, sizeof bytes) < 1) _exit(1);
    _exit(0);
  }
  if (write(ends[1], "hello\n", 6) != 6) return 1;
  if (write(ends[1], "\1\2\377", 3) != 3) return 1;
  wait(0);
  return 0;
}
