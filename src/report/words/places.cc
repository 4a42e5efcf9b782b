#include "report/words/places.h"

#include "report/words/source_files.h"

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
      for (const Place& frame : map_.user_frames(pc, true)) {
        if (frame.line > 0) calls.push_back(to_string(frame));
      }
    }
    if (!calls.empty()) calls.erase(calls.begin());
    return calls;
  }

  std::string location(const std::vector<uint64_t>& stack) override {
    const Place found = map_.user_place(stack);
    return found.file.empty() ? "" : found.file + ":" + std::to_string(found.line);
  }

  std::string source_text(const std::vector<uint64_t>& stack) override {
    const Place found = map_.user_place(stack);
    return found.file.empty() ? "" : files_.line(found.file, found.line);
  }

  std::string function(uint64_t address) override {
    const std::vector<Place> frames = map_.user_frames(address, false);
    return frames.empty() ? "" : frames[0].function;
  }

  std::string outermost_function(const std::vector<uint64_t>& stack) override {
    for (size_t i = stack.size(); i-- > 0;) {
      const std::vector<Place> frames = map_.user_frames(stack[i], true);
      for (size_t j = frames.size(); j-- > 0;) {
        if (frames[j].line > 0) return frames[j].function;
      }
    }
    return "";
  }

  std::vector<Place> frames(const std::vector<uint64_t>& stack) override {
    std::vector<Place> all;
    for (const uint64_t pc : stack) {
      for (const Place& frame : map_.frames(pc, true)) all.push_back(frame);
    }
    return all;
  }

  std::optional<std::string> variable(uint64_t address) override { return map_.variable(address); }

 private:
  SourceMap map_;
  SourceFiles files_;
};

}  // namespace

std::unique_ptr<Places> source_places(std::vector<LoadedFile> files) {
  return std::make_unique<SourcePlaces>(std::move(files));
}

}  // namespace mazurka
