// expect: verdict=ok
// The forms of locks on files, and what they answer, by one process and a child that looks.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static int range(int fd, int command, short type, off_t start, off_t length) {
  struct flock wanted = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(fd, command, &wanted);
}

static struct flock look(int fd, int command, short type, off_t start, off_t length) {
  struct flock wanted = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  assert(fcntl(fd, command, &wanted) == 0);
  return wanted;
}

static void errors(int fd) {
  assert(flock(99, LOCK_EX) == -1 && errno == EBADF);
  assert(flock(fd, LOCK_SH | LOCK_EX) == -1 && errno == EINVAL);
  assert(fcntl(99, F_SETLK, NULL) == -1 && errno == EBADF);
  assert(range(fd, F_SETLK, 77, 0, 1) == -1 && errno == EINVAL);
  assert(range(fd, F_SETLK, F_WRLCK, -1, 1) == -1 && errno == EINVAL);
  const int reader = open(LOCKED_FILE, O_RDONLY);
  assert(range(reader, F_SETLK, F_WRLCK, 0, 1) == -1 && errno == EBADF);
  assert(range(reader, F_SETLK, F_RDLCK, 0, 1) == 0);
  close(reader);
}

static void descriptions(int fd) {
  const int copy = dup(fd);
  const int other = open(LOCKED_FILE, O_RDWR);
  assert(flock(fd, LOCK_EX) == 0 && flock(copy, LOCK_EX) == 0);
  assert(flock(other, LOCK_SH | LOCK_NB) == -1 && errno == EWOULDBLOCK);
  close(fd);
  assert(flock(other, LOCK_EX | LOCK_NB) == -1);
  assert(flock(copy, LOCK_SH) == 0 && flock(other, LOCK_SH | LOCK_NB) == 0);
  assert(flock(other, LOCK_EX | LOCK_NB) == -1);  // and what it had is lost
  assert(flock(copy, LOCK_EX | LOCK_NB) == 0);
  close(copy);
  assert(flock(other, LOCK_EX | LOCK_NB) == 0);
  close(other);
}

static void records_of_descriptions(void) {
  const int one = open(LOCKED_FILE, O_RDWR);
  const int two = open(LOCKED_FILE, O_RDWR);
  assert(range(one, F_OFD_SETLK, F_WRLCK, 0, 10) == 0);
  assert(range(two, F_OFD_SETLK, F_WRLCK, 9, 1) == -1 && errno == EAGAIN);
  assert(range(two, F_OFD_SETLKW, F_WRLCK, 10, 1) == 0);
  const struct flock found = look(two, F_OFD_GETLK, F_RDLCK, 5, 1);
  assert(found.l_type == F_WRLCK && found.l_start == 0 && found.l_len == 10 && found.l_pid == -1);
  close(one);
  assert(look(two, F_OFD_GETLK, F_WRLCK, 5, 1).l_type == F_UNLCK);
  close(two);
}

// A child sees what this process has locked.
static short seen_by_child(off_t start) {
  const pid_t parent = getpid();
  if (fork() == 0) {
    const int fd = open(LOCKED_FILE, O_RDWR);
    const struct flock found = look(fd, F_GETLK, F_WRLCK, start, 1);
    assert(found.l_type == F_UNLCK || found.l_pid == parent);
    _exit(found.l_type);
  }
  int status;
  assert(wait(&status) > 0);
  return (short)WEXITSTATUS(status);
}

static void records(void) {
  const int fd = open(LOCKED_FILE, O_RDWR);
  assert(lseek(fd, 20, SEEK_SET) == 20);
  assert(lockf(fd, F_LOCK, 0) == 0);
  assert(range(fd, F_SETLKW, F_RDLCK, 30, 1) == 0);
  assert(seen_by_child(19) == F_UNLCK && seen_by_child(20) == F_WRLCK &&
         seen_by_child(30) == F_RDLCK);
  assert(lockf(fd, F_TEST, 0) == 0);
  assert(lockf(fd, F_ULOCK, 5) == 0);
  assert(seen_by_child(24) == F_UNLCK && seen_by_child(25) == F_WRLCK);
  close(dup(fd));  // any descriptor of the file
  assert(seen_by_child(25) == F_UNLCK);
  assert(lockf(fd, F_TLOCK, 5) == 0);
  FILE* const stream = fopen(LOCKED_FILE, "r");
  assert(seen_by_child(20) == F_WRLCK);
  fclose(stream);
  assert(seen_by_child(20) == F_UNLCK);
}

int main(void) {
  const int fd = open(LOCKED_FILE, O_RDWR);
  errors(fd);
  descriptions(fd);
  records_of_descriptions();
  records();
}
