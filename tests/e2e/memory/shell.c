// A program whose accesses are seen runs a shell, whose are not: by system and by popen, with
// programs that it starts, while a thread counts. BROKEN: main counts, too.
// check: verdict=ok builds=two starts=true
// check BROKEN: verdict=error findings=race builds=two starts=true
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number;

static void* count(void* unused) {
  ++number;  // mazurka: race
  return unused;
}

int main(void) {
  char line[8];
  pthread_t thread;
  if (system("exit 3") >> 8 != 3 || system("/bin/true") != 0) return 2;
  pthread_create(&thread, 0, count, 0);
  FILE* const shell = popen("echo word", "r");
  if (fgets(line, sizeof line, shell) == 0 || strcmp(line, "word\n") != 0) return 3;
  if (pclose(shell) != 0) return 4;
#ifdef BROKEN
  ++number;  // mazurka: race
#endif
  pthread_join(thread, 0);
  return 0;
}
