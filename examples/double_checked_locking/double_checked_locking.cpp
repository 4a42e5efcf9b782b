// Settings are read by whoever needs them first. The lock is only for the first time, so who finds
// a pointer does not take it.
#include <mutex>
#include <thread>

struct Settings {
  int level = 3;
};

std::mutex mutex;
Settings* settings = nullptr;

Settings* get_settings() {
  if (settings == nullptr) {
    std::lock_guard<std::mutex> lock(mutex);
    if (settings == nullptr) {
      settings = new Settings;  // mazurka: race
    }
  }
  return settings;
}

int main() {
  std::thread other(get_settings);
  get_settings();
  other.join();
  delete settings;
}
