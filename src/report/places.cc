#include "report/places.h"

#include "source/source_map.h"

namespace mazurka {
namespace {

class SourcePlaces : public Places {
 public:
  explicit SourcePlaces(std::vector<Module> modules) : map_(std::move(modules)) {}

  std::string place(const std::vector<uint64_t>& stack) override {
    const Place found = map_.user_place(stack);
    return found == Place{} ? "" : to_string(found);
  }

  std::string location(const std::vector<uint64_t>& stack) override {
    const Place found = map_.user_place(stack);
    return found.file.empty() ? "" : found.file + ":" + std::to_string(found.line);
  }

  std::optional<std::string> variable(uint64_t address) override { return map_.variable(address); }

 private:
  SourceMap map_;
};

}  // namespace

std::unique_ptr<Places> source_places(const std::vector<LoadedFile>& files) {
  std::vector<Module> modules;
  for (const LoadedFile& file : files)
    modules.push_back({file.path, file.base, file.start, file.end});
  return std::make_unique<SourcePlaces>(std::move(modules));
}

}  // namespace mazurka
