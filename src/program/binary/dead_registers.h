// Which registers and flags of a function nobody looks at any more: they are written before they
// are read, whichever way it goes. A waiting loop leaves something in them each time round, and is
// in the same state nevertheless.
//
// In doubt a register is read: by whatever leaves the function, calls included, and by what follows
// a jump whose target is not known.
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>
#include <span>

#include "program/binary/site_decoder.h"

namespace mazurka {

// Sets PatchSite::dead_registers and dead_flags of all sites. Requires that `bytes` are those from
// which the function was decoded.
void find_dead_registers(const ZydisDecoder& decoder, std::span<const uint8_t> bytes,
                         DecodedFunction& function);

}  // namespace mazurka
