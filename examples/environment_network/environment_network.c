// A sender and a receiver, and between them a network that may lose what it carries: a process with
// a toss for each packet. Whoever waits for something that is lost hears of it in the end, as by a
// timer.
#include <mazurka/mazurka.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMessages = 2, kLosses = 2 };

typedef struct {
  sem_t sent, delivered, acknowledged, answered;
  int packet;
  int is_over;   // the sender has no more
  int has_come;  // an acknowledgement, not the timer
} Wire;

// --- the system

static void send_all(Wire* wire) {
  for (int message = 0; message < kMessages; ++message) {
    do {
      wire->packet = message;
      sem_post(&wire->sent);
      sem_wait(&wire->answered);
    } while (!wire->has_come);
  }
  wire->is_over = 1;
  sem_post(&wire->sent);
}

static void receive_all(Wire* wire) {
  int count = 0;
  for (;;) {
    sem_wait(&wire->delivered);
    if (wire->is_over) break;
    ++count;
    sem_post(&wire->acknowledged);
  }
  mz_assert(count == kMessages);  // mazurka: assertion
  exit(0);
}

// --- its environment

static int loses(int* losses) {
  if (*losses == kLosses || mz_toss(1) == 0) return 0;
  ++*losses;
  return 1;
}

static void carry_all(Wire* wire) {
  int losses = 0;
  for (;;) {
    sem_wait(&wire->sent);
    wire->has_come = 0;
    if (wire->is_over || !loses(&losses)) {
      sem_post(&wire->delivered);
      if (wire->is_over) exit(0);
      sem_wait(&wire->acknowledged);
      wire->has_come = !loses(&losses);
    }
    sem_post(&wire->answered);
  }
}

static pid_t start(void (*run)(Wire*), Wire* wire) {
  pid_t child = fork();
  if (child == 0) run(wire);
  return child;
}

int main(void) {
  Wire* wire = mmap(NULL, sizeof *wire, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (wire == MAP_FAILED) return 1;
  sem_init(&wire->sent, 1, 0);
  sem_init(&wire->delivered, 1, 0);
  sem_init(&wire->acknowledged, 1, 0);
  sem_init(&wire->answered, 1, 0);
  pid_t receiver = start(receive_all, wire);
  pid_t network = start(carry_all, wire);
  if (receiver < 0 || network < 0) return 1;
  send_all(wire);
  waitpid(network, NULL, 0);
  waitpid(receiver, NULL, 0);
  return 0;
}
