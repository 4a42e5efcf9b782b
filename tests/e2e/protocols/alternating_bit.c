// The alternating bit protocol: a sender and a receiver, each a process, and a connection that may
// lose what is sent.
//
//     alternating_bit right | forgets-to-compare | takes-any-answer | answers-once   [messages]
//     [losses]
//
// Either data or answers are lost, no more than `losses` of them, and the sender stops sending
// again when it has sent once more than could be lost: so every execution ends.
#include <assert.h>
#include <mazurka/mazurka.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
  int bit;
  int value;
};

static const char* fault;
static int messages = 2;
static int losses = 1;
static int left_to_lose;  // of this process's messages

static int has_fault(const char* name) { return strcmp(fault, name) == 0; }

static void lossy_send(int peer, const struct message* sent) {
  if (left_to_lose > 0 && mz_toss(1) == 1) {
    --left_to_lose;
    return;
  }
  send(peer, sent, sizeof *sent, MSG_NOSIGNAL);
}

static int answer_in_time(int peer, int patient) {
  struct pollfd answer = {peer, POLLIN, 0};
  return poll(&answer, 1, patient ? -1 : 100) == 1;
}

static void send_one(int peer, int number) {
  struct message data = {number % 2, number}, answer;
  int sent = 0;
  for (;;) {
    lossy_send(peer, &data);
    ++sent;
    while (answer_in_time(peer, sent > losses)) {
      assert(recv(peer, &answer, sizeof answer, 0) == (ssize_t)sizeof answer);
      if (answer.bit == data.bit || has_fault("takes-any-answer")) return;
    }
  }
}

static void sender(int peer) {
  for (int i = 0; i < messages; ++i) send_one(peer, i);
}

static void receiver(int peer) {
  struct message data;
  int received = 0;
  while (recv(peer, &data, sizeof data, 0) == (ssize_t)sizeof data) {
    int is_new = data.bit == received % 2;
    if (is_new || has_fault("forgets-to-compare")) {
      assert(data.value == received);
      ++received;
    } else if (has_fault("answers-once")) {
      continue;
    }
    lossy_send(peer, &data);
  }
  assert(received == messages);
}

int main(int argc, char** argv) {
  int ends[2];
  fault = argc > 1 ? argv[1] : "right";
  if (argc > 2) messages = atoi(argv[2]);
  if (argc > 3) losses = atoi(argv[3]);
  assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  int loses_data = mz_toss(1);
  if (fork() == 0) {
    left_to_lose = loses_data ? 0 : losses;
    close(ends[0]);
    receiver(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  left_to_lose = loses_data ? losses : 0;
  sender(ends[0]);
  close(ends[0]);
  wait(NULL);
}
