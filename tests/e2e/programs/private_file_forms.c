// expect: executions=1 transitions=0 verdict=ok
// Files that the program makes and changes behave as on disk, and are not there afterwards. What it
// must not change is file_lock.txt: it has three lines of seven bytes.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

static char base[PATH_MAX];

static off_t size_of(const char* path) {
  struct stat status;
  assert(stat(path, &status) == 0);
  return status.st_size;
}

static void expect(const char* path, const char* wanted) {
  char bytes[64] = {0};
  const int file = open(path, O_RDONLY);
  assert(file >= 0 && read(file, bytes, sizeof bytes - 1) == (ssize_t)strlen(wanted) &&
         strcmp(bytes, wanted) == 0);
  assert(close(file) == 0);
}

static void put(const char* path, const char* text) {
  FILE* const file = fopen(path, "w");
  assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void opening(void) {
  assert(open("none", O_RDONLY) == -1 && errno == ENOENT);
  assert(open("none/below", O_CREAT | O_WRONLY, 0600) == -1 && errno == ENOENT);
  const int file = open("made", O_CREAT | O_EXCL | O_RDWR, 0640);
  assert(file >= 0 && open("made", O_CREAT | O_EXCL | O_RDWR, 0600) == -1 && errno == EEXIST);
  assert(open("made", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR);
  assert(open("made/below", O_RDONLY) == -1 && errno == ENOTDIR);
  assert(write(file, "hello", 5) == 5 && lseek(file, 0, SEEK_CUR) == 5 &&
         lseek(file, -1, SEEK_END) == 4);
  char bytes[8] = {0};
  assert(read(file, bytes, 8) == 1 && bytes[0] == 'o' && pread(file, bytes, 4, 1) == 4 &&
         memcmp(bytes, "ello", 4) == 0);
  assert(pwrite(file, "J", 1, 0) == 1 && size_of("made") == 5);
  expect("made", "Jello");
  struct stat status, same;
  assert(fstat(file, &status) == 0 && stat("./made", &same) == 0);
  assert(status.st_ino == same.st_ino && status.st_dev == same.st_dev && status.st_nlink == 1 &&
         S_ISREG(status.st_mode));
  assert((status.st_mode & 0777) == (0640 & ~022) && status.st_uid == geteuid());
  assert(ftruncate(file, 2) == 0 && size_of("made") == 2 && truncate("made", 3) == 0 &&
         size_of("made") == 3);
  assert(close(file) == 0);
  const int trunc = open("made", O_WRONLY | O_TRUNC);
  assert(trunc >= 0 && size_of("made") == 0 && read(trunc, bytes, 1) == -1 && errno == EBADF &&
         close(trunc) == 0);
  const int append = open("made", O_WRONLY | O_APPEND);
  assert(write(append, "a", 1) == 1 && lseek(append, 0, SEEK_SET) == 0 &&
         write(append, "b", 1) == 1 && close(append) == 0);
  expect("made", "ab");
}

static void streams(void) {
  put("stream", "one\ntwo\n");
  FILE* const stream = fopen("stream", "r+");
  char line[16];
  assert(fgets(line, sizeof line, stream) != NULL && strcmp(line, "one\n") == 0);
  assert(fseek(stream, 0, SEEK_END) == 0 && ftell(stream) == 8 && fprintf(stream, "%d\n", 3) == 2 &&
         fclose(stream) == 0);
  expect("stream", "one\ntwo\n3\n");
  FILE* const more = fopen("stream", "a");
  assert(fputs("4\n", more) >= 0 && fclose(more) == 0 && size_of("stream") == 12);
  assert(fopen("none", "r") == NULL && errno == ENOENT);
}

static void names(void) {
  put("first", "1");
  put("second", "2");
  assert(access("first", R_OK | W_OK) == 0 && access("none", F_OK) == -1 && errno == ENOENT);
  assert(rename("first", "second") == 0 && access("first", F_OK) == -1);
  expect("second", "1");
  assert(rename("none", "second") == -1 && errno == ENOENT);
  assert(link("second", "third") == 0 && link("second", "third") == -1 && errno == EEXIST);
  struct stat status;
  assert(stat("third", &status) == 0 && status.st_nlink == 2);
  put("second", "both");
  expect("third", "both");
  const int open_one = open("second", O_RDONLY);
  assert(unlink("second") == 0 && unlink("second") == -1 && errno == ENOENT);
  assert(fstat(open_one, &status) == 0 && status.st_nlink == 1 && unlink("third") == 0);
  char bytes[8];
  assert(fstat(open_one, &status) == 0 && status.st_nlink == 0 && read(open_one, bytes, 8) == 4 &&
         close(open_one) == 0);
  assert(symlink("made", "link") == 0 && readlink("link", bytes, sizeof bytes) == 4 &&
         memcmp(bytes, "made", 4) == 0);
  assert(lstat("link", &status) == 0 && S_ISLNK(status.st_mode) && stat("link", &status) == 0 &&
         S_ISREG(status.st_mode));
  expect("link", "ab");
  assert(open("link", O_RDONLY | O_NOFOLLOW) == -1 && errno == ELOOP);
  assert(symlink("loop", "loop") == 0 && open("loop", O_RDONLY) == -1 && errno == ELOOP);
  char whole[PATH_MAX];
  assert(realpath("link", whole) != NULL && strcmp(strrchr(whole, '/'), "/made") == 0);
  assert(unlink("link") == 0 && unlink("loop") == 0);
}

static void attributes(void) {
  put("mode", "");
  struct stat status;
  assert(chmod("mode", 0400) == 0 && stat("mode", &status) == 0 && (status.st_mode & 0777) == 0400);
  const int file = open("mode", O_RDONLY);
  assert(fchmod(file, 0600) == 0 && fstat(file, &status) == 0 && (status.st_mode & 0777) == 0600 &&
         close(file) == 0);
  const struct utimbuf times = {.actime = 1000, .modtime = 2000};
  assert(utime("mode", &times) == 0 && stat("mode", &status) == 0 && status.st_mtime == 2000 &&
         status.st_atime == 1000);
  assert(chown("mode", geteuid(), getegid()) == 0);
}

// What is there is copied when it is to be changed; those who have it open see the change.
static void copies(void) {
  const int before = open(LOCKED_FILE, O_RDONLY);
  char bytes[64] = {0};
  struct stat was, is;
  assert(before >= 0 && fstat(before, &was) == 0 && was.st_size == LOCKED_SIZE);
  assert(read(before, bytes, 1) == 1);
  const int file = open(LOCKED_FILE, O_RDWR);
  assert(file >= 0 && pwrite(file, "XYZ", 3, 0) == 3);
  assert(read(before, bytes, 2) == 2 && memcmp(bytes, "YZ", 2) == 0 &&
         lseek(before, 0, SEEK_CUR) == 3);
  assert(lseek(before, 0, SEEK_END) == LOCKED_SIZE && pread(before, bytes, 1, 0) == 1 &&
         bytes[0] == 'X');
  assert(fstat(before, &is) == 0 && is.st_ino == was.st_ino && stat(LOCKED_FILE, &is) == 0 &&
         is.st_ino == was.st_ino);
  assert(close(before) == 0 && close(file) == 0);
  assert(unlink(LOCKED_FILE) == 0 && access(LOCKED_FILE, F_OK) == -1 && errno == ENOENT);
}

static void temporaries(void) {
  char name[] = "temporary-XXXXXX";
  const int file = mkstemp(name);
  assert(file >= 0 && write(file, "x", 1) == 1 && size_of(name) == 1 && close(file) == 0 &&
         unlink(name) == 0);
  char directory[] = "directory-XXXXXX";
  assert(mkdtemp(directory) != NULL && rmdir(directory) == 0);
  FILE* const nameless = tmpfile();
  assert(nameless != NULL && fputs("x", nameless) >= 0 && fflush(nameless) == 0 &&
         ftell(nameless) == 1 && fclose(nameless) == 0);
}

static void vectors_and_copies(void) {
  const int from = open("vector", O_CREAT | O_RDWR, 0600);
  const struct iovec parts[2] = {{"ab", 2}, {"cd", 2}};
  assert(writev(from, parts, 2) == 4 && lseek(from, 0, SEEK_SET) == 0);
  const int to = open("copied", O_CREAT | O_RDWR, 0600);
  assert(sendfile(to, from, NULL, 4) == 4 && size_of("copied") == 4);
  off_t start = 0;
  assert(copy_file_range(from, &start, to, NULL, 2, 0) == 2);
  expect("copied", "abcdab");
  char* const memory = mmap(NULL, 4, PROT_READ, MAP_PRIVATE, from, 0);
  assert(memory != MAP_FAILED && memcmp(memory, "abcd", 4) == 0 && munmap(memory, 4) == 0);
  assert(close(from) == 0 && close(to) == 0);
}

int main(void) {
  umask(022);
  assert(getcwd(base, sizeof base) != NULL);
  opening();
  streams();
  names();
  attributes();
  temporaries();
  vectors_and_copies();
  copies();
  for (const char** name = (const char*[]){"made", "stream", "mode", "vector", "copied", NULL};
       *name != NULL; ++name)
    assert(unlink(*name) == 0);
}
