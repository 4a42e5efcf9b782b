// talk threads|processes relay|alternating N: the same system as threads of one process, or as
// processes of one thread each.
//   relay        a producer sends N bytes through a pipe to a relay, which passes them on to a
//   consumer alternating  the alternating-bit protocol for N messages: one message or answer may be
//   lost, as tosses decide
#include <mazurka/mazurka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void* (*body)(void*);

static int use_threads, count, there[2], back[2];

static void send_byte(int to, char byte) {
  if (write(to, &byte, 1) != 1) abort();
}

static char receive_byte(int from) {
  char byte;
  if (read(from, &byte, 1) != 1) abort();
  return byte;
}

static void* produce(void* unused) {
  for (int i = 0; i < count; ++i) send_byte(there[1], (char)i);
  return unused;
}

static void* relay(void* unused) {
  for (int i = 0; i < count; ++i) send_byte(back[1], receive_byte(there[0]));
  return unused;
}

static void* consume(void* unused) {
  for (int i = 0; i < count; ++i) {
    if (receive_byte(back[0]) != (char)i) abort();
  }
  return unused;
}

static int may_lose = 1;

static int is_lost(void) {
  if (!may_lose || mz_toss(1) == 0) return 0;
  may_lose = 0;
  return 1;
}

// What was lost, there or back, is sent again: the sender's timer has passed.
static void* alternating_sender(void* unused) {
  for (int i = 0; i < count; ++i) {
    const char bit = (char)(i % 2);
    for (int answered = 0; !answered;) {
      if (is_lost()) continue;
      send_byte(there[1], bit);
      if (receive_byte(back[0]) != bit) abort();
      answered = !is_lost();
    }
  }
  send_byte(there[1], 'e');
  return unused;
}

static void* alternating_receiver(void* unused) {
  int expected = 0, received = 0;
  for (char bit; (bit = receive_byte(there[0])) != 'e';) {
    if (bit == expected) {
      ++received;
      expected = 1 - expected;
    }
    send_byte(back[1], bit);
  }
  if (received != count) abort();
  return unused;
}

static void run(const body* bodies, int bodies_count) {
  pthread_t threads[3];
  for (int i = 0; i < bodies_count; ++i) {
    if (use_threads) {
      pthread_create(&threads[i], NULL, bodies[i], NULL);
    } else if (fork() == 0) {
      bodies[i](NULL);
      _exit(0);
    }
  }
  for (int i = 0; i < bodies_count; ++i) {
    if (use_threads) {
      pthread_join(threads[i], NULL);
    } else {
      wait(NULL);
    }
  }
}

int main(int argc, char** argv) {
  if (argc != 4 || pipe(there) != 0 || pipe(back) != 0) return 2;
  use_threads = strcmp(argv[1], "threads") == 0;
  count = atoi(argv[3]);
  const body relaying[] = {produce, relay, consume};
  const body alternating[] = {alternating_sender, alternating_receiver};
  if (strcmp(argv[2], "relay") == 0) {
    run(relaying, 3);
  } else {
    run(alternating, 2);
  }
}
