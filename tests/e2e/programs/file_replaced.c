// expect: executions=56 transitions=264 verdict=ok
// Who writes to another name first and renames it then shows the old or the new, and nothing
// between. Two readers, in threads.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void put(const char* path, const char* text) {
  const int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  assert(file >= 0 && write(file, text, 3) == 3 && close(file) == 0);
}

static void* replace(void* unused) {
  put("settings.new", "new");
  assert(rename("settings.new", "settings") == 0);
  return unused;
}

int main(void) {
  put("settings", "old");
  pthread_t writer;
  pthread_create(&writer, NULL, replace, NULL);
  const int file = open("settings", O_RDONLY);
  char text[4] = {0};
  assert(file >= 0 && read(file, text, 3) == 3 &&
         (strcmp(text, "old") == 0 || strcmp(text, "new") == 0));
  pthread_join(writer, NULL);
}
