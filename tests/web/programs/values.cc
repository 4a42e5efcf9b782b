// Variables of many types, for the simulator to show: it stops at each lock.
#include <pthread.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

enum class Colour { Red, Green };

struct Node {
  int value;
  Node* next;
};

struct Base {
  short small = -3;
};
struct Derived : Base {
  double ratio = 0.5;
  Colour colour = Colour::Green;
};

namespace bank {
int balance = 100;
std::atomic<int> visits{7};
}  // namespace bank

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int table[3] = {10, 20, 30};
int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
thread_local int own = 5;

struct Flags {
  unsigned ready : 1;
  unsigned level : 3;
  int shift : 4;
  Colour colour : 2;
};
Flags flags = {1, 5, -2, Colour::Green};

__attribute__((noinline)) void inner(int depth, Node* list) {
  static int calls = 0;
  ++calls;
  char letter = 'x';
  pthread_mutex_lock(&lock);
  bank::balance -= depth;
  own += depth;
  flags.level = 6;
  table[1] += 1;
  pthread_mutex_unlock(&lock);
  if (depth > 0) inner(depth - 1, list);
  if (letter != 'x') list->value = 0;
}

void* work(void* argument) {
  Derived derived;
  std::string name = "mazurka";
  std::vector<int> numbers = {1, 2, 3};
  const std::array<int, 2> pair = {4, 5};
  const char* text = "plain";
  Node second = {2, nullptr};
  Node first = {1, &second};
  unsigned long long big = ~0ull;
  bool flag = true;
  inner(*static_cast<int*>(argument), &first);
  return flag && big != 0 && pair[0] == 4 && *text == 'p' && derived.ratio > 0 && !name.empty() &&
                 !numbers.empty()
             ? argument
             : nullptr;
}

int main() {
  int depth = 2;
  pthread_t thread;
  pthread_create(&thread, nullptr, work, &depth);
  pthread_join(thread, nullptr);
}
