// check: verdict=ok
// The bytes that the kernel gives each process are the same in all of them.
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const unsigned char* const bytes = (const unsigned char*)getauxval(AT_RANDOM);
  char text[33] = "";
  for (int i = 0; i < 16; ++i) {
    text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
  }
  if (argc > 1) return strcmp(argv[1], text) != 0;
  if (fork() == 0) execl(argv[0], argv[0], text, NULL);
  int status = 1;
  wait(&status);
  assert(status == 0);
}
