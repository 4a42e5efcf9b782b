// check: verdict=error findings=race found=1 options=--keep-going builds=one compare=no
// Any two of the four threads race for the counter, at the same line: reads with writes, and writes
// with each other. That is one race.
#include <thread>

static int counter;

static void count() {
  ++counter;  // mazurka: race
}

int main() {
  std::thread threads[] = {std::thread(count), std::thread(count), std::thread(count),
                           std::thread(count)};
  for (std::thread& thread : threads) thread.join();
}
