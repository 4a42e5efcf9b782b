// Settings are read by whoever needs them first. Who finds the pointer without the lock reads it
// with acquire, and so sees what it points to.
#include <atomic>
#include <mutex>
#include <thread>

struct Settings {
  int level = 3;
};

std::mutex mutex;
std::atomic<Settings*> settings{nullptr};

Settings* get_settings() {
  Settings* found = settings.load(std::memory_order_acquire);
  if (found != nullptr) return found;
  std::lock_guard<std::mutex> lock(mutex);
  found = settings.load(std::memory_order_relaxed);
  if (found == nullptr) {
    found = new Settings;
    settings.store(found, std::memory_order_release);
  }
  return found;
}

int main() {
  std::thread other(get_settings);
  get_settings();
  other.join();
  delete settings;
}
