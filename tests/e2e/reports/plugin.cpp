// The objects live in a shared library, one of them a static variable of a function there.
// library: plugin_library.cpp
// kind: deadlock
// name: registry::plugins.mutex
// name: config.lock
// why: waits for config.lock
#include "plugin.h"

#include <mutex>
#include <thread>

struct Config {
  std::mutex lock;
  int level = 0;
};

int main() {
  Config config;
  std::thread loader([&] {
    std::lock_guard<std::mutex> settings(config.lock);
    add_plugin("png");
  });
  with_plugins([&] {
    std::lock_guard<std::mutex> settings(config.lock);
    config.level = 1;
  });
  loader.join();
}
