// expect: verdict=ok
// Two threads lock one temporary file, whose name is another in every run of the program by itself.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;

static void* lock_shared(void* unused) {
  flock(file, LOCK_SH);
  return unused;
}

static int is_directory(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int main(void) {
  char name[] = "temporary_XXXXXX.txt";
  char other[] = "temporary_XXXXXX.txt";
  char folder[] = "temporary_XXXXXX";
  char bad[] = "temporary_XXXXX";
  pthread_t thread;
  file = mkstemps(name, 4);
  const int second = mkstemps(other, 4);
  if (file < 0 || second < 0 || strcmp(name, other) == 0 || mkstemp(bad) >= 0) return 1;
  if (mkdtemp(folder) == NULL || !is_directory(folder)) return 2;
  unlink(name);
  unlink(other);
  rmdir(folder);
  flock(file, LOCK_EX);
  pthread_create(&thread, NULL, lock_shared, NULL);
  flock(file, LOCK_UN);
  pthread_join(thread, NULL);
  return 0;
}
