// One function of a file, instruction by instruction (Zydis).
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "program/binary/function_ranges.h"
#include "protocol/patch_records.h"

namespace mazurka {

struct DecodedPlace {
  uint64_t address = 0;
  uint8_t length = 0;
  bool is_site = false;
};

// A function that was decoded from its start to its end.
struct DecodedFunction {
  std::vector<DecodedPlace> places;
  std::vector<PatchSite> sites;     // without span and what follows from it
  bool has_hidden_targets = false;  // something may jump where no branch says so
  bool has_calls = false;           // else it may keep something below the stack pointer
};

// Leaves the straight line, or may: where it goes on is not the place behind it.
bool leaves(const ZydisDecodedInstruction& instruction);

class SiteDecoder {
 public:
  SiteDecoder();

  // None if some byte belongs to no instruction. The plain access at `access` is among the sites,
  // if that is one that can be moved.
  std::optional<DecodedFunction> decode(const FunctionRange& range, std::span<const uint8_t> bytes,
                                        uint64_t access = 0) const;

  // Adds those that can be moved; none if some byte belongs to no instruction.
  void list_accesses(const FunctionRange& range, std::span<const uint8_t> bytes,
                     std::vector<WatchPlace>& found) const;

  // The instruction at the beginning of `bytes`, if it can be moved.
  std::optional<PatchSite> loop_site(uint64_t address, std::span<const uint8_t> bytes) const;

  // Moves what follows the site along, so that five bytes can be replaced. `is_target` tells
  // whether somebody may jump to an address. Leaves the span 0 if that cannot be done.
  template <typename F>
  void widen(PatchSite& site, const DecodedFunction& function, std::span<const uint8_t> bytes,
             uint64_t begin, F&& is_target) const {
    PatchSite wider = site;
    if (!try_to_widen(wider, function, bytes, begin)) return;
    for (uint64_t at = site.address + 1; at < site.address + wider.span; ++at) {
      if (is_target(at)) return;
    }
    site = wider;
  }

 private:
  bool try_to_widen(PatchSite& site, const DecodedFunction& function,
                    std::span<const uint8_t> bytes, uint64_t begin) const;
  bool move_along(PatchSite& site, std::span<const uint8_t> bytes) const;
  bool may_load(std::span<const uint8_t> bytes) const;
  // The access that these bytes are: as a trap.
  std::optional<PatchSite> describe_access(uint64_t address, std::span<const uint8_t> bytes) const;

  ZydisDecoder decoder_;
};

}  // namespace mazurka
