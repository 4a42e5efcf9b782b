#include <mutex>
#include <string>
#include <vector>

#include "plugin.h"

namespace {

struct Plugins {
  std::mutex mutex;
  std::vector<std::string> names;
};

Plugins& registry() {
  static Plugins plugins;
  return plugins;
}

}  // namespace

void add_plugin(const char* name) {
  std::lock_guard<std::mutex> lock(registry().mutex);  // mazurka: deadlock
  registry().names.push_back(name);
}

void with_plugins(const std::function<void()>& use) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  use();
}
