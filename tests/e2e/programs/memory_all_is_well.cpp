// expect: verdict=ok
// Every way to get and give back memory, with each block written up to its last byte: nothing of it
// is wrong. Blocks from before main, of other threads and of the parent process are freed here,
// too.
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

static char* made_before_main = static_cast<char*>(memset(malloc(100), 1, 100));
static std::vector<std::string> strings_before_main(20, std::string(50, 'x'));
static std::mutex mutex;
static std::vector<char*> handed_over;

struct alignas(128) Aligned {
  char bytes[200];
};

static char* fill(void* block) {
  memset(block, 0x5a, malloc_usable_size(block));
  return static_cast<char*>(block);
}

static void every_form(size_t size) {
  char* block = fill(malloc(size));
  block = fill(realloc(block, size * 3 + 1));
  block = fill(realloc(block, size / 2 + 1));
  free(block);
  block = fill(calloc(size + 1, 3));
  block = fill(reallocarray(block, size + 1, 5));
  free(block);
  void* aligned = nullptr;
  if (posix_memalign(&aligned, 256, size) == 0) free(fill(aligned));
  aligned = realloc(fill(aligned_alloc(64, size)), size + 500);
  free(fill(aligned));
  free(fill(memalign(4096, size)));
  free(fill(valloc(size)));
  free(nullptr);
  delete new Aligned;
  delete[] new Aligned[3];
  delete[] new (std::nothrow) char[size];
}

static void hand_over(size_t size) {
  std::lock_guard lock(mutex);
  handed_over.push_back(fill(malloc(size)));
}

int main() {
  for (const size_t size : {0, 1, 24, 500, 5000, 70000}) every_form(size);
  std::thread threads[2] = {std::thread(hand_over, 33), std::thread(hand_over, 40000)};
  for (std::thread& thread : threads) thread.join();
  for (char* block : handed_over) free(block);
  handed_over.clear();
  auto shared = std::make_shared<std::string>("a string that is too long for the small one");
  std::thread([&shared] { shared.reset(); }).join();
  const pid_t child = fork();
  if (child == 0) {
    free(made_before_main);
    strings_before_main.clear();
    every_form(77);
    _exit(0);
  }
  free(realloc(made_before_main, 300));
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}
