// A reader that wants to write: the reader is in its own way.
// kind: deadlock
// name: table->lock
// why: waits for table->lock at @here, which it has itself held since it locked it at @read
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Table {
 public:
  int find(int key);
  std::shared_mutex lock;
  std::map<int, int> values;
};

int Table::find(int key) {
  std::shared_lock<std::shared_mutex> reading(lock);  // @read
  const auto known = values.find(key);
  if (known != values.end()) return known->second;
  std::unique_lock<std::shared_mutex> writing(lock);  // mazurka: deadlock
  return values[key] = key;
}

int main() {
  auto table = std::make_unique<Table>();
  std::thread finder([&] { table->find(1); });
  finder.join();
}
