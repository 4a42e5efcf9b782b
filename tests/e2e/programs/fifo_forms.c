// expect: verdict=ok
// FIFOs, one call after the other.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "fifo_forms.fifo";

static int fails(long result, int error) { return result == -1 && errno == error; }

int main(void) {
  char bytes[8];
  assert(fails(open(path, O_RDONLY), ENOENT) && mkfifo(path, 0600) == 0 &&
         fails(mkfifo(path, 0600), EEXIST));
  assert(fails(open(path, O_WRONLY | O_NONBLOCK), ENXIO));
  int in = open(path, O_RDONLY | O_NONBLOCK), out = open(path, O_WRONLY);
  assert(in >= 0 && out > in && fails(read(in, bytes, 8), EAGAIN));
  assert(write(out, "abc", 3) == 3 && read(in, bytes, 2) == 2 && close(out) == 0);
  assert(read(in, bytes, 8) == 1 && read(in, bytes, 8) == 0);
  out = open(path, O_WRONLY);
  assert(out >= 0 && write(out, "d", 1) == 1 && read(in, bytes, 8) == 1 && bytes[0] == 'd');
  // What nobody has read is lost when nobody has it open.
  assert(write(out, "lost", 4) == 4 && close(in) == 0 && close(out) == 0);
  int both = open("./fifo_forms.fifo", O_RDWR);
  assert(both >= 0 && write(both, "e", 1) == 1 && read(both, bytes, 8) == 1 && bytes[0] == 'e');
  assert(unlink(path) == 0 && fails(open(path, O_RDONLY), ENOENT) && close(both) == 0);
  return 0;
}
