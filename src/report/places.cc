#include "report/places.h"

namespace mazurka {
namespace {

class SourcePlaces : public Places {
 public:
  explicit SourcePlaces(std::vector<LoadedFile> files) : map_(std::move(files)) {}

  std::string place(const std::vector<uint64_t>& stack) override {
    const Place found = map_.user_place(stack);
    return found == Place{} ? "" : to_string(found);
  }

  std::vector<std::string> callers(const std::vector<uint64_t>& stack) override {
    std::vector<std::string> calls;
    for (const uint64_t pc : stack) {
      for (const Place& frame : map_.frames(pc, true)) {
        if (frame.in_user_code && frame.line > 0) calls.push_back(to_string(frame));
      }
    }
    if (!calls.empty()) calls.erase(calls.begin());
    return calls;
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

std::unique_ptr<Places> source_places(std::vector<LoadedFile> files) {
  return std::make_unique<SourcePlaces>(std::move(files));
}

}  // namespace mazurka
