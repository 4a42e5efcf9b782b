#include "program/module_scans.h"

#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
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
  return {path,           status.st_dev,          status.st_ino,
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

void write_scan(Segment& segment, uint32_t text) {
  if (text >= kMaxKeptText || segment.scanned_count >= kMaxScannedModules ||
      segment.site_count > kMaxPatchSites)
    return;
  const std::string path(segment.kept_text + text,
                         strnlen(segment.kept_text + text, kMaxKeptText - text));
  const std::shared_ptr<const AtomicSites> found = sites_of(path);
  ScannedModule scanned{text, segment.site_count, 0, 0, found->unsure};
  const size_t room = kMaxPatchSites - segment.site_count;
  const size_t count = std::min(found->sites.size(), room);
  std::copy_n(found->sites.begin(), count, segment.sites + segment.site_count);
  scanned.count = static_cast<uint32_t>(count);
  scanned.unsure_count = static_cast<uint32_t>(found->unsure_count);
  if (count < found->sites.size()) {  // the rest cannot be told: as if they were not sure
    if (scanned.unsure_count++ == 0) scanned.unsure = found->sites[count].address;
  }
  segment.site_count += scanned.count;
  segment.scanned[segment.scanned_count++] = scanned;
}

}  // namespace

void answer_scan(Segment& segment) {
  uint32_t& word = segment.control.wanted_scan;
  const uint32_t wanted = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
  if (wanted == 0) return;
  write_scan(segment, wanted);
  __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace mazurka
