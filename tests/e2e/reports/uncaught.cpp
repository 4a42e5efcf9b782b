// Who comes first finds an empty list, and nobody catches what that throws.
// kind: crash
// name: list.mutex
// why: nothing caught the exception std::out_of_range: vector::_M_range_check
#include <mutex>
#include <thread>
#include <vector>

struct List {
  std::mutex mutex;
  std::vector<int> values;

  void add(int value) {
    std::lock_guard<std::mutex> lock(mutex);
    values.push_back(value);
  }
  int first() {
    std::lock_guard<std::mutex> lock(mutex);
    return values.at(0);  // mazurka: crash
  }
};

int main() {
  List list;
  std::thread adder([&] { list.add(1); });
  std::thread reader([&] { list.first(); });
  adder.join();
  reader.join();
}
