// What libc forks by itself is a process of the program. Threads that it starts are refused, and
// named. BUG: the child's post is lost, because its memory is a copy.
// check: verdict=ok
// check BUG: verdict=error findings=deadlock
// check WORDS: verdict=ok
// check AGAIN: verdict=ok
// check TERMINAL: verdict=incomplete says=ioctl
// check LOOKUP: verdict=incomplete says=a_thread_that_libc_starts_by_itself_(refused)
#define _GNU_SOURCE
#include <netdb.h>
#include <pty.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

pid_t _Fork(void);

static int wait_for(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3 ? 0 : 1;
}

static int copy_process(void) {
#ifdef BUG
  const int sharing = MAP_PRIVATE;
#else
  const int sharing = MAP_SHARED;
#endif
  sem_t* const semaphore = mmap(0, 4096, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
  sem_init(semaphore, 1, 0);
  const pid_t child = _Fork();
  if (child == 0) {
    sem_post(semaphore);
    _exit(3);
  }
  sem_wait(semaphore);
  return wait_for(child);
}

int main(void) {
#if defined(WORDS)
  wordexp_t words;
  if (wordexp("one $(echo two)", &words, 0) != 0) return 2;
  return words.we_wordc == 2 && strcmp(words.we_wordv[1], "two") == 0 ? 0 : 3;
#elif defined(AGAIN)  // libc puts another descriptor in place of that of the stream
  int ends[2];
  char byte;
  if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) return 2;
  close(ends[1]);
  if (freopen("/dev/null", "w", stdout) == 0) return 3;
  return read(ends[0], &byte, 1) == 0 ? 0 : 4;  // the end of the stream
#elif defined(TERMINAL)
  int terminal;
  const pid_t child = forkpty(&terminal, 0, 0, 0);
  if (child == 0) _exit(3);
  return wait_for(child);
#elif defined(LOOKUP)
  struct gaicb wanted = {.ar_name = "127.0.0.1"};
  struct gaicb* list[] = {&wanted};
  return getaddrinfo_a(GAI_NOWAIT, list, 1, 0) == 0 && gai_error(&wanted) == 0;
#else
  return copy_process();
#endif
}
