// expect: executions=1135 transitions=6163 optimal=126 verdict=ok reset=in-place
// Much is prepared before the first choice: heap, buffered output, threads with memory of their
// own. All executions find it as it was, whatever the others did to it; also those, rather late,
// that make a thread which nobody has seen before.
#include <mazurka/mazurka.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kLarge = size_t{1} << 20;
std::mutex mutex;
std::vector<std::string> words;
std::map<int, std::string>* numbers;
char* large;
int visits;
thread_local std::string mine = "mine";

void spoil(int who) {
  const std::lock_guard lock(mutex);
  if (visits++ == 0) {
    for (size_t i = 0; i < words.size(); ++i) assert(words[i] == std::string(i, 'w'));
    for (size_t i = 0; i < kLarge; i += 4096) assert(large[i] == 'l');
    assert(numbers->size() == 3 && numbers->at(2) == "two");
  }
  words[static_cast<size_t>(who)] += "spoiled";
  words.push_back("more");
  numbers->erase(who);
  memset(large + 4096 * visits, who, 4096 * 3);
  assert(mine == "mine" + std::to_string(who));
  mine.clear();
  try {
    throw std::runtime_error(words.back());
  } catch (const std::runtime_error& error) {
    assert(strcmp(error.what(), "more") == 0);
  }
}

void work(int who) {
  mine += std::to_string(who);
  const std::vector<int> own(1000, who);
  if (who == 0 && mz_toss(19) == 17) {
    std::thread late([] {
      assert(mine == "mine");
      mine += "3";
      spoil(3);
    });
    late.join();
  }
  spoil(who);
  for (const int each : own) assert(each == who);
}

}  // namespace

int main() {
  printf("not yet written");
  for (size_t i = 0; i < 50; ++i) words.emplace_back(i, 'w');
  numbers = new std::map<int, std::string>{{0, "zero"}, {1, "one"}, {2, "two"}};
  large = new char[kLarge];
  memset(large, 'l', kLarge);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  delete[] large;
  delete numbers;
}
