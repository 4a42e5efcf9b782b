#include "program/binary/access_sites.h"

#include <algorithm>

#include "program/binary/code_targets.h"
#include "program/binary/elf_file.h"
#include "program/binary/function_ranges.h"
#include "program/binary/site_decoder.h"

namespace mazurka {
namespace {

bool is_code(const Elf64_Shdr& section) {
  return section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0;
}

bool holds(const Elf64_Shdr& section, const FunctionRange& range) {
  return range.begin >= section.sh_addr && range.end <= section.sh_addr + section.sh_size;
}

}  // namespace

std::vector<WatchPlace> find_watch_places(const std::string& path) {
  std::vector<WatchPlace> found;
  const ElfFile file(path);
  const SiteDecoder decoder;
  const std::vector<FunctionRange> ranges = function_ranges(file);
  for (const Elf64_Shdr& section : file.sections()) {
    if (!is_code(section)) continue;
    const std::span<const uint8_t> bytes = file.content<uint8_t>(section);
    for (const FunctionRange& range : ranges) {
      if (!holds(section, range) || range.end - section.sh_addr > bytes.size()) continue;
      const auto place = static_cast<size_t>(range.begin - section.sh_addr);
      decoder.list_accesses(range, bytes.subspan(place, range.end - range.begin), found);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const WatchPlace& a, const WatchPlace& b) { return a.address < b.address; });
  return found;
}

std::optional<PatchSite> access_site(const std::string& path, uint64_t address) {
  const ElfFile file(path);
  const std::vector<FunctionRange> ranges = function_ranges(file);
  const auto range = std::find_if(ranges.begin(), ranges.end(), [&](const FunctionRange& one) {
    return address >= one.begin && address < one.end;
  });
  if (range == ranges.end()) return std::nullopt;
  for (const Elf64_Shdr& section : file.sections()) {
    const std::span<const uint8_t> all = file.content<uint8_t>(section);
    if (!is_code(section) || !holds(section, *range) || range->end - section.sh_addr > all.size())
      continue;
    const std::span<const uint8_t> bytes =
        all.subspan(range->begin - section.sh_addr, range->end - range->begin);
    const SiteDecoder decoder;
    const std::optional<DecodedFunction> function = decoder.decode(*range, bytes, address);
    if (!function) return std::nullopt;
    const auto site = std::find_if(function->sites.begin(), function->sites.end(),
                                   [&](const PatchSite& one) { return one.address == address; });
    if (site == function->sites.end()) return std::nullopt;
    PatchSite wider = *site;
    constexpr uint8_t kJumpLength = 5;
    if (wider.length >= kJumpLength) {
      wider.span = wider.length;
    } else {
      const CodeTargets targets(all, section.sh_addr);
      decoder.widen(wider, *function, bytes, range->begin,
                    [&](uint64_t at) { return targets.is_target(at); });
    }
    return wider;
  }
  return std::nullopt;
}

}  // namespace mazurka
