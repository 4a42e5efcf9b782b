// expect: executions=8 transitions=68 verdict=ok
// sem_open with O_EXCL succeeds in one process; the other opens what it made. A name that was
// unlinked is free, the semaphore lives on.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t* make_or_open(int* made) {
  sem_t* semaphore = sem_open("/mazurka-test", O_CREAT | O_EXCL, 0600, 0);
  *made = semaphore != SEM_FAILED;
  if (*made) return semaphore;
  assert(errno == EEXIST);
  semaphore = sem_open("/mazurka-test", 0);
  assert(semaphore != SEM_FAILED);
  return semaphore;
}

int main(void) {
  assert(sem_open("/mazurka-test", 0) == SEM_FAILED && errno == ENOENT);
  assert(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  int made;
  const pid_t child = fork();
  if (child == 0) {
    sem_t* semaphore = make_or_open(&made);
    assert(sem_post(semaphore) == 0);
    assert(sem_close(semaphore) == 0);
    _exit(made);
  }
  sem_t* semaphore = make_or_open(&made);
  assert(sem_open("/mazurka-test", O_CREAT, 0600, 5) == semaphore);
  assert(sem_wait(semaphore) == 0);
  int status, value;
  assert(wait(&status) == child && WEXITSTATUS(status) + made == 1);
  assert(sem_getvalue(semaphore, &value) == 0 && value == 0);
  assert(sem_unlink("/mazurka-test") == 0);
  assert(sem_unlink("/mazurka-test") == -1 && errno == ENOENT);
  sem_t* second = sem_open("mazurka-test", O_CREAT, 0600, 1);
  assert(second != SEM_FAILED && second != semaphore);
  assert(sem_post(semaphore) == 0 && sem_trywait(semaphore) == 0);
  assert(sem_unlink("/mazurka-test") == 0);
  return 0;
}
