// expect: executions=3 transitions=11 verdict=ok
// A file that was open before the fork has one offset for both; with O_APPEND another description
// writes behind all.
#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const int file = open("log", O_CREAT | O_RDWR, 0600);
  const int other = open("log", O_WRONLY | O_APPEND);
  assert(file >= 0 && other >= 0);
  if (fork() == 0) {
    assert(write(file, "child", 5) == 5);
    _exit(0);
  }
  assert(write(file, "parent", 6) == 6 && wait(NULL) > 0 && write(other, "!", 1) == 1);
  char text[16] = {0};
  assert(pread(file, text, 15, 0) == 12 &&
         (strcmp(text, "childparent!") == 0 || strcmp(text, "parentchild!") == 0));
}
