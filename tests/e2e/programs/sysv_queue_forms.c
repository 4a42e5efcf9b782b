// expect: executions=2 transitions=23 verdict=ok
// Types, limits and errors of System V message queues; then a child, and a queue that goes while
// somebody waits.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
  long type;
  char text[16];
};

static int put(int queue, long type, const char* text, int flags) {
  struct message message = {.type = type};
  strcpy(message.text, text);
  return msgsnd(queue, &message, strlen(text), flags);
}

static int got(int queue, long type, int flags, const char* text) {
  struct message message;
  ssize_t length = msgrcv(queue, &message, sizeof message.text, type, flags);
  return length == (ssize_t)strlen(text) && memcmp(message.text, text, strlen(text)) == 0;
}

static void types(int queue) {
  assert(put(queue, 3, "three", 0) == 0 && put(queue, 1, "one", 0) == 0 &&
         put(queue, 2, "two", 0) == 0 && put(queue, 1, "again", 0) == 0);
  assert(got(queue, 1, 0, "one") && got(queue, -2, 0, "again") && got(queue, 3, MSG_EXCEPT, "two"));
  struct message message;
  assert(msgrcv(queue, &message, 2, 0, 0) == -1 && errno == E2BIG);
  assert(msgrcv(queue, &message, 2, 0, MSG_NOERROR) == 2 && message.type == 3 &&
         memcmp(message.text, "th", 2) == 0);
  assert(msgrcv(queue, &message, 16, 0, IPC_NOWAIT) == -1 && errno == ENOMSG);
}

static void errors(int queue) {
  struct message message = {.type = 1};
  assert(put(queue, 0, "x", 0) == -1 && errno == EINVAL);
  assert(msgsnd(queue, &message, 8193, 0) == -1 && errno == EINVAL);
  assert(msgrcv(queue, &message, (size_t)-1, 0, 0) == -1 && errno == EINVAL);
  assert(put(queue + 1, 1, "x", 0) == -1 && errno == EINVAL);
  assert(msgget(0x4d5a, 0600) == -1 && errno == ENOENT);
}

static void limits(int queue) {
  struct msqid_ds state;
  assert(msgctl(queue, IPC_STAT, &state) == 0 && state.msg_qbytes == 16384 && state.msg_qnum == 0);
  assert(state.msg_lspid == getpid() && state.msg_lrpid == getpid());
  state.msg_qbytes = 4;
  assert(msgctl(queue, IPC_SET, &state) == 0);
  assert(put(queue, 1, "four", 0) == 0 && put(queue, 1, "x", IPC_NOWAIT) == -1 && errno == EAGAIN);
  assert(got(queue, 0, 0, "four"));
}

int main(void) {
  int queue = msgget(0x4d5a51, IPC_CREAT | IPC_EXCL | 0600);
  assert(queue >= 0 && msgget(0x4d5a51, IPC_CREAT | IPC_EXCL) == -1 && errno == EEXIST);
  assert(msgget(0x4d5a51, 0) == queue && msgget(IPC_PRIVATE, 0600) != queue);
  types(queue);
  errors(queue);
  limits(queue);
  if (fork() == 0) {
    assert(put(queue, 2, "late", 0) == 0);
    struct message message;
    assert(msgrcv(queue, &message, 16, 7, 0) == -1 && (errno == EIDRM || errno == EINVAL));
    _exit(0);
  }
  assert(got(queue, 0, 0, "late"));
  assert(msgctl(queue, IPC_RMID, NULL) == 0 && msgctl(queue, IPC_RMID, NULL) == -1 &&
         errno == EINVAL);
  assert(wait(NULL) > 0);
  assert(msgget(0x4d5a51, 0) == -1 && errno == ENOENT);
}
