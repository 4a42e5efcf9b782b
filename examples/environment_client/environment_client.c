// A box office, and a client who may do anything: a process of its own, with a toss for each
// decision.
#include <mazurka/mazurka.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kSeats = 2, kRequests = 3 };

typedef enum { RESERVE, CANCEL, LEAVE } Request;

typedef struct {
  sem_t asked, answered;
  Request request;
  int granted;
} Desk;

// --- the system

static int reserve(int* left) {
  if (*left == 0) return 0;
  --*left;
  return 1;
}

static int cancel(int* left) {
  ++*left;
  return 1;
}

static void sell(Desk* desk) {
  int left = kSeats;
  for (;;) {
    sem_wait(&desk->asked);
    if (desk->request == LEAVE) break;
    desk->granted = desk->request == RESERVE ? reserve(&left) : cancel(&left);
    sem_post(&desk->answered);
  }
  mz_assert(left >= 0 && left <= kSeats);  // mazurka: assertion
  exit(0);
}

// --- its environment

static void ask(Desk* desk, Request request) {
  desk->request = request;
  sem_post(&desk->asked);
  if (request != LEAVE) sem_wait(&desk->answered);
}

static void visit(Desk* desk) {
  for (int i = 0; i < kRequests; ++i) {
    Request request = (Request)mz_toss(LEAVE);
    ask(desk, request);
    if (request == LEAVE) return;
  }
  ask(desk, LEAVE);
}

int main(void) {
  Desk* desk = mmap(NULL, sizeof *desk, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (desk == MAP_FAILED) return 1;
  sem_init(&desk->asked, 1, 0);
  sem_init(&desk->answered, 1, 0);
  pid_t office = fork();
  if (office < 0) return 1;
  if (office == 0) sell(desk);
  visit(desk);
  waitpid(office, NULL, 0);
  return 0;
}
