#include "program/kept_names.h"

#include <algorithm>
#include <cstring>

#include "protocol/names.h"

namespace mazurka {
namespace {

template <typename T>
void append_new(std::vector<T>& kept, const T* all, uint32_t count, uint32_t limit) {
  if (count <= kept.size() || count > limit) return;
  kept.insert(kept.end(), all + kept.size(), all + count);
}

}  // namespace

void KeptNames::update(const Segment& segment) {
  append_new(threads, segment.names.threads, segment.names.thread_count, kMaxThreads);
  append_new(objects, segment.names.objects, segment.names.object_count, kMaxObjects);
  append_new(places, segment.names.places, segment.names.object_count, kMaxObjects);
  append_new(modules, segment.modules, segment.module_count, kMaxModules);
  const uint32_t calls = std::min(segment.unmodelled_count, kMaxUnmodelled);
  unmodelled.assign(segment.unmodelled, segment.unmodelled + calls);
  const uint32_t length = std::min(segment.kept_text_count, kMaxKeptText);
  if (length > text.size()) text.append(segment.kept_text + text.size(), length - text.size());
}

void KeptNames::restore(Segment& segment) const {
  for (const ThreadName& name : threads) intern_thread(segment.names, name.parent, name.ordinal);
  for (size_t i = 0; i < objects.size(); ++i) {
    bool is_new = false;
    const ObjectId id = intern_object(segment.names, objects[i], is_new);
    if (is_new) segment.names.places[index(id)] = places[i];
  }
  std::copy(unmodelled.begin(), unmodelled.end(), segment.unmodelled);
  segment.unmodelled_count = static_cast<uint32_t>(unmodelled.size());
  std::memcpy(segment.kept_text, text.data(), text.size());
  segment.kept_text_count = static_cast<uint32_t>(text.size());
}

std::string KeptNames::text_at(uint32_t place) const {
  return place == 0 || place >= text.size() ? std::string() : std::string(text.c_str() + place);
}

}  // namespace mazurka
