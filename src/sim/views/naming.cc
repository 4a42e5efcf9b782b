#include "sim/views/naming.h"

#include <algorithm>

#include "sim/server/json.h"

namespace mazurka {

void LiveNaming::refresh() {
  std::vector<LoadedFile> files = subject_.files();
  if (own_places_ != nullptr && files.size() == file_count_) return;
  file_count_ = files.size();
  own_describer_.reset();
  own_places_ = source_places(std::move(files));
  own_describer_ = std::make_unique<Describer>(subject_.program, own_places_.get(), &names_);
  describer_ = own_describer_.get();
  places_ = own_places_.get();
}

void LiveNaming::learn(const Run& run) {
  if (run.id == learned_) return;
  learned_ = run.id;
  names_.learn(run.execution, run.length(), subject_.header.limits, subject_.files());
}

Json Naming::place_json(const Place& place) {
  if (!place.file.empty()) named_.insert(place.file);
  return {{"function", place.function},
          {"file", place.file},
          {"line", place.line},
          {"module", place.module},
          {"user", place.in_user_code}};
}

Json Naming::stack(const CodePlace& place) {
  std::vector<uint64_t> addresses = place.stack;
  if (addresses.empty() && place.pc != 0) addresses.push_back(place.pc);
  const std::vector<Place> frames = places_->frames(addresses);
  const auto is_users = [](const Place& frame) { return frame.in_user_code && frame.line > 0; };
  auto first = std::find_if(frames.begin(), frames.end(), is_users);
  if (first == frames.end()) first = frames.begin();
  Json stack = Json::array();
  for (auto frame = first; frame != frames.end(); ++frame) stack.push_back(place_json(*frame));
  return stack;
}

Json Naming::place(const CodePlace& place) {
  Json all = stack(place);
  return all.empty() ? Json(nullptr) : Json(all[0]);
}

std::optional<std::vector<std::string>> Naming::lines(const std::string& file) {
  if (named_.count(file) == 0) return std::nullopt;
  return files_.lines(file);
}

}  // namespace mazurka
