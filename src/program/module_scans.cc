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
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "program/binary/access_sites.h"
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

std::shared_ptr<const std::vector<WatchPlace>> places_of(const std::string& path) {
  static std::mutex mutex;
  static std::map<FileIdentity, std::shared_ptr<const std::vector<WatchPlace>>> known;
  const FileIdentity identity = identity_of(path);
  const std::lock_guard lock(mutex);
  std::shared_ptr<const std::vector<WatchPlace>>& places = known[identity];
  if (places == nullptr) {
    places = std::make_shared<const std::vector<WatchPlace>>(
        may_have_atomic_sites(path) ? find_watch_places(path) : std::vector<WatchPlace>());
  }
  return places;
}

// --- what was learned

struct LearnedSites {
  std::mutex mutex;
  uint64_t count = 0;
  std::map<std::string, std::vector<PatchSite>> sites;  // by path
  std::set<std::pair<std::string, uint64_t>> in_vain;   // accesses that cannot be replaced
};

LearnedSites& learned() {
  static LearnedSites all;
  return all;
}

uint64_t end_of(const PatchSite& site) { return site.address + std::max(site.span, site.length); }

bool overlaps(const PatchSite& site, const PatchSite& other) {
  return site.address < end_of(other) && other.address < end_of(site);
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

// Requires the lock. Null: there is none at this address.
PatchSite* learned_at(const std::string& path, uint64_t address) {
  std::vector<PatchSite>& known = learned().sites[path];
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const PatchSite& site) { return site.address == address; });
  return found == known.end() ? nullptr : &*found;
}

// False: nothing can stand there. A loop that was learned there before was less than this.
bool learn_access_at(const SeenAccess& access) {
  const std::optional<PatchSite> site =
      may_have_atomic_sites(access.path) ? access_site(access.path, access.address) : std::nullopt;
  const std::lock_guard lock(learned().mutex);
  PatchSite* known = learned_at(access.path, access.address);
  if (!site) {
    if (learned().in_vain.insert({access.path, access.address}).second) ++learned().count;
    return false;
  }
  if (known == nullptr) known = &learned().sites[access.path].emplace_back();
  const bool is_new =
      !is_plain_access(known->form) || (access.is_in_loop && known->is_looked_at_again == 0);
  const uint8_t is_in_loop = known->is_looked_at_again;
  if (!is_new) return true;
  *known = *site;
  known->is_looked_at_again = access.is_in_loop || is_in_loop != 0;
  ++learned().count;
  return true;
}

// Those that reach into the next one are traps.
void make_room(std::vector<PatchSite>& sites) {
  for (size_t i = 0; i + 1 < sites.size(); ++i) {
    if (end_of(sites[i]) > sites[i + 1].address) sites[i].span = 0;
  }
}

// With what was learned, in order.
std::vector<PatchSite> all_sites(const std::string& path) {
  std::vector<PatchSite> all = sites_of(path)->sites;
  const std::lock_guard lock(learned().mutex);
  const std::vector<PatchSite>& more = learned().sites[path];
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end(),
            [](const PatchSite& a, const PatchSite& b) { return a.address < b.address; });
  if (!more.empty()) make_room(all);
  return all;
}

// All but those in the bytes of sites, which are in order, and those that nothing can be done
// about.
std::vector<WatchPlace> places_beside(const std::string& path,
                                      const std::vector<PatchSite>& sites) {
  std::vector<WatchPlace> left;
  size_t next = 0;
  const std::lock_guard lock(learned().mutex);
  for (const WatchPlace& place : *places_of(path)) {
    while (next < sites.size() && end_of(sites[next]) <= place.address) ++next;
    const bool is_beside =
        next == sites.size() || place.address + place.length <= sites[next].address;
    if (is_beside && learned().in_vain.count({path, place.address}) == 0) left.push_back(place);
  }
  return left;
}

// More than fit are not watched.
void write_places(Segment& segment, const std::string& path, const std::vector<PatchSite>& sites,
                  ScannedModule& scanned) {
  AccessWatch& watch = segment.watch;
  scanned.watch_begin = std::min(watch.place_count, kMaxWatchPlaces);
  const std::vector<WatchPlace> places = places_beside(path, sites);
  scanned.watch_count =
      static_cast<uint32_t>(std::min<size_t>(places.size(), kMaxWatchPlaces - scanned.watch_begin));
  std::copy_n(places.begin(), scanned.watch_count, watch.places + scanned.watch_begin);
  watch.place_count = scanned.watch_begin + scanned.watch_count;
}

void write_scan(Segment& segment, uint32_t text) {
  if (text >= kMaxKeptText || segment.scanned_count >= kMaxScannedModules ||
      segment.site_count > kMaxPatchSites)
    return;
  const std::string path = text_at(segment, text);
  const std::shared_ptr<const AtomicSites> found = sites_of(path);
  const std::vector<PatchSite> sites = all_sites(path);
  ScannedModule scanned{text, segment.site_count, 0, 0, found->unsure, 0, 0};
  const size_t room = kMaxPatchSites - segment.site_count;
  const size_t count = std::min(sites.size(), room);
  std::copy_n(sites.begin(), count, segment.sites + segment.site_count);
  scanned.count = static_cast<uint32_t>(count);
  scanned.unsure_count = static_cast<uint32_t>(found->unsure_count);
  if (count < sites.size()) {  // the rest cannot be told: as if they were not sure
    if (scanned.unsure_count++ == 0) scanned.unsure = sites[count].address;
  }
  if (segment.control.watches != 0) write_places(segment, path, sites, scanned);
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

bool learn_accesses(Segment& segment, std::vector<uint64_t>& in_vain) {
  AccessWatch& watch = segment.watch;
  const uint32_t count = std::min(watch.learned_count, kMaxLearnedAccesses);
  watch.learned_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const LearnedAccess& access = watch.learned[i];
    const Module* const module = module_at(segment, access.address);
    const bool is_seen = module != nullptr &&
                         learn_access_at({text_at(segment, module->path),
                                          access.address - module->base, access.is_in_loop != 0});
    if (!is_seen) in_vain.push_back(access.address);
  }
  return count != 0;
}

std::vector<SeenAccess> seen_accesses() {
  std::vector<SeenAccess> all;
  const std::lock_guard lock(learned().mutex);
  for (const auto& [path, sites] : learned().sites) {
    for (const PatchSite& site : sites) {
      if (is_plain_access(site.form))
        all.push_back({path, site.address, site.is_looked_at_again != 0});
    }
  }
  return all;
}

void see_accesses(const std::vector<SeenAccess>& accesses) {
  for (const SeenAccess& access : accesses) learn_access_at(access);
}

uint64_t learned_sites() {
  const std::lock_guard lock(learned().mutex);
  return learned().count;
}

void answer_scan(Segment& segment) {
  uint32_t& word = segment.control.wanted_scan;
  // Whoever is woken runs at once, on the same core, and may ask for the next one before we wait:
  // then its wake-up would be lost, and we would find out 20 ms later.
  constexpr int kMost = 64;  // the program may write anything there
  for (int i = 0; i < kMost; ++i) {
    const uint32_t wanted = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
    if (wanted == 0) return;
    write_scan(segment, wanted);
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
}

}  // namespace mazurka
