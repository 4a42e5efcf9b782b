// expect: executions=20 transitions=88 verdict=ok
// What a thread draws depends on its own past alone. The draws choose the semaphores, so a draw
// that is not the same in each execution is a finding: nondeterminism.
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <random>
#include <thread>

static sem_t semaphores[64];

static void post(uint64_t number) { sem_post(&semaphores[number % 64]); }

static uint64_t from_device() {
  uint64_t number = 0;
  const int fd = open("/dev/urandom", O_RDONLY);
  assert(fd >= 0 && read(fd, &number, sizeof number) == sizeof number);
  close(fd);
  return number;
}

static uint64_t from_stream() {
  uint64_t number = 0;
  std::FILE* file = std::fopen("/dev/random", "r");
  assert(file != nullptr && std::fread(&number, sizeof number, 1, file) == 1);
  std::fclose(file);
  assert(number != 0);
  return number;
}

static void draw() {
  uint64_t number = 0;
  assert(getrandom(&number, sizeof number, 0) == sizeof number);
  uint64_t entropy = 0;
  assert(getentropy(&entropy, sizeof entropy) == 0 && entropy != number);
  post(number ^ entropy);
  std::random_device device;
  const unsigned drawn = device();
  assert(drawn != device());
  post(drawn ^ arc4random() ^ arc4random_uniform(1000));
  post(from_device() ^ from_stream());
}

int main() {
  for (sem_t& semaphore : semaphores) sem_init(&semaphore, 0, 0);
  std::thread thread(draw);
  draw();
  thread.join();
}
