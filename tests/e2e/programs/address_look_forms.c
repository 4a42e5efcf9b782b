// expect: verdict=ok
// FIFOs and names of sockets are files for who looks at them, one call after the other.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char fifo[] = "address_look_forms.fifo";
static const struct sockaddr_un name = {.sun_family = AF_UNIX,
                                        .sun_path = "address_look_forms.socket"};

static int fails(long result, int error) { return result == -1 && errno == error; }

static mode_t mode_of(const char* path) {
  struct stat found, link;
  assert(stat(path, &found) == 0 && lstat(path, &link) == 0 && found.st_mode == link.st_mode &&
         found.st_ino == link.st_ino);
  return found.st_mode;
}

int main(void) {
  struct stat found;
  umask(022);
  assert(fails(stat(fifo, &found), ENOENT) && fails(access(name.sun_path, F_OK), ENOENT));
  assert(mkfifo(fifo, 0666) == 0 && mode_of(fifo) == (S_IFIFO | 0644));
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (const struct sockaddr*)&name, sizeof name) == 0 &&
         mode_of(name.sun_path) == (S_IFSOCK | 0755));
  assert(access(fifo, R_OK | W_OK) == 0 && faccessat(AT_FDCWD, name.sun_path, F_OK, 0) == 0);
  assert(chmod(name.sun_path, 0600) == 0 && mode_of(name.sun_path) == (S_IFSOCK | 0600));
  assert(chmod(fifo, 0200) == 0 && mode_of(fifo) == (S_IFIFO | 0200));
  assert(fails(mkdir(fifo, 0700), EEXIST) && fails(symlink("nowhere", name.sun_path), EEXIST));
  assert(fails(open(fifo, O_CREAT | O_EXCL | O_WRONLY, 0600), EEXIST));
  assert(unlink(fifo) == 0 && fails(stat(fifo, &found), ENOENT) &&
         fails(chmod(fifo, 0600), ENOENT));
  assert(mkdir(fifo, 0700) == 0 && rmdir(fifo) == 0);
  assert(unlink(name.sun_path) == 0 && fails(lstat(name.sun_path, &found), ENOENT) &&
         close(listener) == 0);
}
