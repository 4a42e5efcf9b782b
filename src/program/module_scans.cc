#include "program/module_scans.h"

#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "program/binary/atomic_sites.h"

namespace mazurka {
namespace {

// A file that was replaced is another one.
using FileIdentity = std::tuple<std::string, dev_t, ino_t, int64_t, int64_t, int64_t>;

FileIdentity identity_of(const std::string& path) {
  struct stat status {};
  stat(path.c_str(), &status);
  return {path,           status.st_dev,         status.st_ino,
          status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

// Each file is searched once, for all instances of all programs that this process runs.
std::shared_ptr<const AtomicSites> sites_of(const std::string& path) {
  static std::mutex mutex;
  static std::map<FileIdentity, std::shared_ptr<const AtomicSites>> known;
  const FileIdentity identity = identity_of(path);
  const std::lock_guard lock(mutex);
  std::shared_ptr<const AtomicSites>& sites = known[identity];
  if (sites == nullptr) {
    sites = std::make_shared<const AtomicSites>(
        may_have_atomic_sites(path) ? find_atomic_sites(path) : AtomicSites{});
  }
  return sites;
}

// --- loops

struct LearnedLoops {
  std::mutex mutex;
  uint64_t count = 0;
  std::map<std::string, std::vector<PatchSite>> sites;  // by path
};

LearnedLoops& learned() {
  static LearnedLoops all;
  return all;
}

bool overlaps(const PatchSite& site, const PatchSite& other) {
  const auto end = [](const PatchSite& one) {
    return one.address + std::max(one.span, one.length);
  };
  return site.address < end(other) && other.address < end(site);
}

bool is_free(const PatchSite& site, const std::vector<PatchSite>& others) {
  return std::none_of(others.begin(), others.end(),
                      [&](const PatchSite& other) { return overlaps(site, other); });
}

// As far as the segment can be believed.
const Module* module_at(const Segment& segment, uint64_t address) {
  const uint32_t count = std::min(segment.module_count, kMaxModules);
  for (uint32_t i = 0; i < count; ++i) {
    const Module& module = segment.modules[i];
    if (address >= module.start && address < module.end && module.path < kMaxKeptText)
      return &module;
  }
  return nullptr;
}

std::string text_at(const Segment& segment, uint32_t place) {
  return {segment.kept_text + place, strnlen(segment.kept_text + place, kMaxKeptText - place)};
}

bool learn_place(const Segment& segment, uint64_t address) {
  const Module* const module = module_at(segment, address);
  if (module == nullptr) return false;
  const std::string path = text_at(segment, module->path);
  if (!may_have_atomic_sites(path)) return false;
  const std::optional<PatchSite> site = loop_site(path, address - module->base);
  if (!site || !is_free(*site, sites_of(path)->sites)) return false;
  const std::lock_guard lock(learned().mutex);
  std::vector<PatchSite>& known = learned().sites[path];
  if (!is_free(*site, known)) return false;
  known.push_back(*site);
  ++learned().count;
  return true;
}

// With what was learned, in order.
std::vector<PatchSite> all_sites(const std::string& path) {
  std::vector<PatchSite> all = sites_of(path)->sites;
  const std::lock_guard lock(learned().mutex);
  const std::vector<PatchSite>& more = learned().sites[path];
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end(),
            [](const PatchSite& a, const PatchSite& b) { return a.address < b.address; });
  return all;
}

void write_scan(Segment& segment, uint32_t text) {
  if (text >= kMaxKeptText || segment.scanned_count >= kMaxScannedModules ||
      segment.site_count > kMaxPatchSites)
    return;
  const std::string path = text_at(segment, text);
  const std::shared_ptr<const AtomicSites> found = sites_of(path);
  const std::vector<PatchSite> sites = all_sites(path);
  ScannedModule scanned{text, segment.site_count, 0, 0, found->unsure};
  const size_t room = kMaxPatchSites - segment.site_count;
  const size_t count = std::min(sites.size(), room);
  std::copy_n(sites.begin(), count, segment.sites + segment.site_count);
  scanned.count = static_cast<uint32_t>(count);
  scanned.unsure_count = static_cast<uint32_t>(found->unsure_count);
  if (count < sites.size()) {  // the rest cannot be told: as if they were not sure
    if (scanned.unsure_count++ == 0) scanned.unsure = sites[count].address;
  }
  segment.site_count += scanned.count;
  segment.scanned[segment.scanned_count++] = scanned;
}

}  // namespace

// The same one, wherever in the loop the thread was interrupted.
bool learn_loop(const Segment& segment) {
  const size_t count = std::min<size_t>(segment.loop.count, std::size(segment.loop.places));
  std::vector<uint64_t> places(segment.loop.places, segment.loop.places + count);
  std::sort(places.begin(), places.end());
  return std::any_of(places.begin(), places.end(),
                     [&](uint64_t address) { return learn_place(segment, address); });
}

uint64_t learned_loops() {
  const std::lock_guard lock(learned().mutex);
  return learned().count;
}

void answer_scan(Segment& segment) {
  uint32_t& word = segment.control.wanted_scan;
  const uint32_t wanted = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
  if (wanted == 0) return;
  write_scan(segment, wanted);
  __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace mazurka
