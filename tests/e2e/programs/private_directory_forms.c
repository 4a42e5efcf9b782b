// expect: executions=1 transitions=0 verdict=ok
// Directories that the program makes and changes behave as on disk, and are not there afterwards.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void put(const char* path, const char* text) {
  const int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
}

// The names in it, sorted, without the two of each.
static const char* list(const char* path) {
  static char text[256];
  struct dirent** entries;
  const int count = scandir(path, &entries, NULL, alphasort);
  assert(count >= 2);
  text[0] = '\0';
  for (int i = 0; i < count; ++i) {
    if (entries[i]->d_name[0] != '.') strcat(strcat(text, text[0] ? " " : ""), entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  return text;
}

static void making(void) {
  assert(mkdir("tree", 0755) == 0 && mkdir("tree", 0755) == -1 && errno == EEXIST);
  assert(mkdir("none/below", 0755) == -1 && errno == ENOENT);
  struct stat status;
  assert(stat("tree", &status) == 0 && S_ISDIR(status.st_mode) && stat("tree/", &status) == 0);
  assert(strcmp(list("tree"), "") == 0);
  const struct timespec before = status.st_mtim;
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  put("tree/b", "b");
  assert(stat("tree", &status) == 0 && memcmp(&status.st_mtim, &before, sizeof before) != 0);
  put("tree/a", "a");
  assert(mkdir("tree/c", 0700) == 0 && strcmp(list("tree"), "a b c") == 0);
  assert(rmdir("tree") == -1 && errno == ENOTEMPTY);
  assert(unlink("tree/c") == -1 && errno == EISDIR && rmdir("tree/a") == -1 && errno == ENOTDIR);
  assert(open("tree", O_WRONLY) == -1 && errno == EISDIR);
  assert(unlink("tree/b") == 0 && strcmp(list("tree"), "a c") == 0);
}

static void entering(void) {
  char before[PATH_MAX], inside[PATH_MAX];
  assert(getcwd(before, sizeof before) != NULL && chdir("tree/c") == 0 &&
         getcwd(inside, sizeof inside) != NULL);
  assert(strncmp(inside, before, strlen(before)) == 0 &&
         strcmp(inside + strlen(before), "/tree/c") == 0);
  put("here", "x");
  assert(access("../c/here", F_OK) == 0 && access("../a", F_OK) == 0 && access("../b", F_OK) == -1);
  assert(chdir("../..") == 0 && access("tree/c/here", F_OK) == 0);
  const int directory = open("tree", O_RDONLY | O_DIRECTORY);
  assert(directory >= 0 && faccessat(directory, "c/here", F_OK, 0) == 0);
  const int file = openat(directory, "at", O_CREAT | O_WRONLY, 0600);
  assert(file >= 0 && close(file) == 0 && access("tree/at", F_OK) == 0 &&
         unlinkat(directory, "at", 0) == 0);
  assert(fchdir(directory) == 0 && access("a", F_OK) == 0 && chdir(before) == 0 &&
         close(directory) == 0);
}

static void moving(void) {
  assert(rename("tree", "moved") == 0 && access("tree", F_OK) == -1 &&
         access("moved/c/here", F_OK) == 0);
  assert(rename("moved", "moved/c/inside") == -1 && errno == EINVAL);
  assert(mkdir("other", 0755) == 0 && rename("moved", "other") == 0 &&
         strcmp(list("other"), "a c") == 0);
  assert(mkdir("tree", 0755) == 0 && strcmp(list("tree"), "") == 0 && rmdir("tree") == 0);
  assert(symlink("other/c", "short") == 0 && access("short/here", F_OK) == 0);
  put("short/there", "y");
  assert(strcmp(list("other/c"), "here there") == 0 && unlink("short") == 0);
}

static void reading_twice(void) {
  DIR* const directory = opendir("other");
  int count = 0;
  while (readdir(directory) != NULL) ++count;
  assert(count == 4);
  rewinddir(directory);
  put("other/z", "");
  count = 0;
  while (readdir(directory) != NULL) ++count;
  assert(count == 5 && closedir(directory) == 0);
  glob_t found;
  assert(glob("other/c/*", 0, NULL, &found) == 0 && found.gl_pathc == 2 &&
         strcmp(found.gl_pathv[1], "other/c/there") == 0);
  globfree(&found);
}

int main(void) {
  making();
  entering();
  moving();
  reading_twice();
  assert(unlink("other/c/here") == 0 && unlink("other/c/there") == 0 && rmdir("other/c") == 0);
  assert(unlink("other/a") == 0 && unlink("other/z") == 0 && rmdir("other") == 0);
}
