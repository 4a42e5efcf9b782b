// A child that shares a range of a file, and waits for the file.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  if (fork() == 0) {
    const int file = open("/proc/self/exe", O_RDONLY);
    struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 3, .l_len = 2};
    fcntl(file, F_SETLKW, &range);
    flock(file, LOCK_EX);
    return 0;
  }
  const int file = open("/proc/self/exe", O_RDONLY);
  flock(file, LOCK_EX);
  flock(file, LOCK_UN);
  wait(NULL);
}
