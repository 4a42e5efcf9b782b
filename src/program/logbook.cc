#include "program/logbook.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/bytes.h"
#include "program/module_scans.h"
#include "program/shared_segment.h"
#include "protocol/names.h"

namespace mazurka {
namespace {

std::string hexadecimal(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%lx", number);
  return text;
}

std::string kept_text(const Segment& segment, uint32_t place) {
  if (place == 0 || place >= kMaxKeptText) return {};
  return std::string(segment.kept_text + place,
                     strnlen(segment.kept_text + place, kMaxKeptText - place));
}

bool same(const LoadedModule& a, const LoadedModule& b) {
  return a.path == b.path && a.base == b.base && a.start == b.start && a.process == b.process;
}

}  // namespace

// --- between logbook and segment

void Logbook::give(Segment& segment, Shared& shared) const {
  if (shared.threads + shared.objects == name_count_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex_);
  for (; shared.threads < threads_.size(); ++shared.threads) {
    const ThreadName& name = threads_[shared.threads];
    mazurka::intern_thread(segment.names, name.parent, name.ordinal);
  }
  for (; shared.objects < objects_.size(); ++shared.objects) {
    const KeptObject& object = objects_[shared.objects];
    bool is_new = false;
    const ObjectId id = intern_object(segment.names, object.name, is_new);
    if (!is_new) continue;
    segment.names.places[index(id)] = object.place;
    if (!object.text.empty())
      segment.names.places[index(id)].text = keep_text(segment, object.text);
  }
}

bool Logbook::take(Segment& segment, Shared& shared) {
  if ((segment.control.unasked & ~unasked_.load()) != 0) unasked_ |= segment.control.unasked;
  const Names& names = segment.names;
  const bool new_names =
      names.thread_count != shared.threads || names.object_count != shared.objects;
  const bool new_modules = segment.module_count != shared.modules;
  if (!new_names && !new_modules && segment.unmodelled_count == 0) return true;
  const std::lock_guard lock(mutex_);
  if (new_names) {
    if (threads_.size() != shared.threads || objects_.size() != shared.objects) {
      forget_names(segment.names, shared.threads, shared.objects);
      return false;
    }
    take_names(segment, shared);
  }
  take_modules(segment, shared);
  take_calls(segment, shared);
  return true;
}

void Logbook::take_names(const Segment& segment, Shared& shared) {
  const Names& names = segment.names;
  for (; shared.threads < std::min(names.thread_count, kMaxThreads); ++shared.threads) {
    threads_.push_back(names.threads[shared.threads]);
  }
  for (; shared.objects < std::min(names.object_count, kMaxObjects); ++shared.objects) {
    const ObjectPlace& place = names.places[shared.objects];
    objects_.push_back({names.objects[shared.objects], place, kept_text(segment, place.text)});
  }
  name_count_.store(static_cast<uint32_t>(threads_.size() + objects_.size()),
                    std::memory_order_release);
}

void Logbook::take_modules(const Segment& segment, Shared& shared) {
  for (; shared.modules < std::min(segment.module_count, kMaxModules); ++shared.modules) {
    const Module& module = segment.modules[shared.modules];
    const LoadedModule made = {kept_text(segment, module.path), module.base, module.start,
                               module.end, module.process};
    const auto is_it = [&](const LoadedModule& known) { return same(known, made); };
    if (std::none_of(modules_.begin(), modules_.end(), is_it)) modules_.push_back(made);
  }
}

void Logbook::take_calls(const Segment& segment, Shared& shared) {
  const uint32_t count = std::min(segment.unmodelled_count, kMaxUnmodelled);
  shared.calls.resize(std::max<size_t>(shared.calls.size(), count));
  for (uint32_t i = 0; i < count; ++i) {
    const Unmodelled& call = segment.unmodelled[i];
    if (call.count == shared.calls[i]) continue;
    const std::string name = kept_text(segment, call.text);
    UnmodelledCall& known =
        calls_.try_emplace(name, UnmodelledCall{name, call.pc, 0, call.costs_complete != 0})
            .first->second;
    known.count += call.count - shared.calls[i];
    shared.calls[i] = call.count;
  }
}

// --- asking

std::vector<uint32_t> Logbook::thread_path(ThreadId id) const {
  const std::lock_guard lock(mutex_);
  std::vector<uint32_t> path;
  while (id != kMainThread && index(id) < threads_.size()) {
    const ThreadName& name = threads_[index(id)];
    path.insert(path.begin(), name.ordinal);
    if (index(name.parent) >= index(id)) break;  // a parent has its id before its children
    id = name.parent;
  }
  return path;
}

std::string Logbook::object_name(ObjectId id) const {
  KeptObject object;
  {
    const std::lock_guard lock(mutex_);
    if (index(id) >= objects_.size()) return {};
    object = objects_[index(id)];
  }
  return name_of(object.place, object.name.address, object.text);
}

std::string Logbook::memory_name(const ObjectPlace& place, uint64_t address) const {
  return name_of(place, place.storage == Storage::Shared ? place.offset : address, "");
}

std::string Logbook::name_of(const ObjectPlace& place, uint64_t address,
                             const std::string& text) const {
  switch (place.storage) {
    case Storage::Heap:
      return "heap block " + std::to_string(place.count) + " of " +
             thread_name(thread_path(place.thread)) +
             (place.offset != 0 ? " + " + hexadecimal(place.offset) : "");
    case Storage::Stack:
      return "stack of " + thread_name(thread_path(place.thread)) + " at " + hexadecimal(address);
    case Storage::Shared:
      return "shared memory + " + hexadecimal(address);
    case Storage::Name:
      return text;
    case Storage::Kernel:
      return text + "[" + std::to_string(place.number) + "]";
    case Storage::Module:
    case Storage::Unknown:
      return hexadecimal(address);
  }
  return {};
}

std::optional<uint64_t> Logbook::object_address(ObjectId id) const {
  const std::lock_guard lock(mutex_);
  if (index(id) >= objects_.size() || objects_[index(id)].place.storage != Storage::Module)
    return std::nullopt;
  return objects_[index(id)].name.address;
}

std::optional<ObjectMemory> Logbook::object_memory(ObjectId id) const {
  // Above them is which block of the heap it is (runtime/core/tags.cc).
  constexpr uint64_t kAddressBits = (uint64_t{1} << 47) - 1;
  const std::lock_guard lock(mutex_);
  if (index(id) >= objects_.size()) return std::nullopt;
  const KeptObject& object = objects_[index(id)];
  const Storage storage = object.place.storage;
  if (storage != Storage::Module && storage != Storage::Stack && storage != Storage::Heap)
    return std::nullopt;
  return ObjectMemory{object.place, object.name.address & kAddressBits,
                      ProcessId(static_cast<uint16_t>(object.name.space))};
}

std::vector<LoadedModule> Logbook::modules() const {
  const std::lock_guard lock(mutex_);
  return modules_;
}

std::vector<UnmodelledCall> Logbook::unmodelled() const {
  const std::lock_guard lock(mutex_);
  std::vector<UnmodelledCall> calls;
  for (const auto& [name, call] : calls_) calls.push_back(call);
  return calls;
}

void Logbook::name_call(const char* name, uint64_t pc) {
  const std::lock_guard lock(mutex_);
  UnmodelledCall& call = calls_[name];
  if (call.count++ == 0) call.pc = pc;
  call.name = name;
  call.costs_complete = true;
}

void Logbook::forget_unseen_code() {
  const std::lock_guard lock(mutex_);
  for (const char* name : {kPlainLoop, kUnseenStore}) calls_.erase(name);
}

std::string Logbook::save() const {
  const std::lock_guard lock(mutex_);
  ByteWriter out;
  out.put(needs_.load());
  out.put(unasked_.load());
  out.put(has_locked_instructions_);
  const std::vector<SeenAccess> accesses = seen_accesses();
  out.put(static_cast<uint64_t>(accesses.size()));
  for (const SeenAccess& access : accesses) {
    out.put_text(access.path);
    out.put(access.address);
    out.put(access.is_in_loop);
  }
  out.put_all(threads_);
  out.put(static_cast<uint64_t>(objects_.size()));
  for (const KeptObject& object : objects_) {
    out.put(object.name);
    out.put(object.place);
    out.put_text(object.text);
  }
  out.put(static_cast<uint64_t>(calls_.size()));
  for (const auto& [name, call] : calls_) {
    out.put_text(name);
    out.put(call.pc);
    out.put(call.count);
    out.put(call.costs_complete);
  }
  return out.bytes();
}

bool Logbook::restore(const std::string& bytes) {
  const std::lock_guard lock(mutex_);
  ByteReader in(bytes);
  needs_ = in.get<Needs>();
  unasked_ = in.get<uint8_t>();
  has_locked_instructions_ = in.get<bool>();
  std::vector<SeenAccess> accesses(in.get_count(sizeof(uint64_t)));
  for (SeenAccess& access : accesses) {
    access.path = in.get_text();
    access.address = in.get<uint64_t>();
    access.is_in_loop = in.get<bool>();
  }
  if (in.ok()) see_accesses(accesses);
  threads_ = in.get_all<ThreadName>();
  objects_.resize(in.get_count(sizeof(ObjectName)));
  for (KeptObject& object : objects_) {
    object.name = in.get<ObjectName>();
    object.place = in.get<ObjectPlace>();
    object.text = in.get_text();
  }
  calls_.clear();
  for (uint64_t i = in.get_count(sizeof(uint64_t)); i > 0; --i) {
    UnmodelledCall call;
    call.name = in.get_text();
    call.pc = in.get<uint64_t>();
    call.count = in.get<uint64_t>();
    call.costs_complete = in.get<bool>();
    calls_.emplace(call.name, call);
  }
  name_count_.store(static_cast<uint32_t>(threads_.size() + objects_.size()),
                    std::memory_order_release);
  return in.ok() && in.at_end() && threads_.size() <= kMaxThreads && objects_.size() <= kMaxObjects;
}

std::string Logbook::why_fork() const {
  const std::lock_guard lock(mutex_);
  return why_fork_;
}

void Logbook::say_why_fork(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (why_fork_.empty()) why_fork_ = why;
}

bool Logbook::has_locked_instructions() const {
  const std::lock_guard lock(mutex_);
  return has_locked_instructions_;
}

void Logbook::note_locked_instructions() {
  const std::lock_guard lock(mutex_);
  has_locked_instructions_ = true;
}

std::string thread_name(const std::vector<uint32_t>& path) {
  std::string name = "T0";
  for (const uint32_t ordinal : path) (name += '.') += std::to_string(ordinal);
  return name;
}

}  // namespace mazurka
