// What every record of the shared segment must be: plain data of a known size, without hidden
// padding. So a change of layout does not compile, and the fields of a record, in their order, are
// its description byte by byte.
#pragma once

#include <cstddef>
#include <type_traits>

namespace mazurka {

// No byte of it is without a name: padding is a field, too.
template <typename Record, size_t size>
inline constexpr bool is_laid_out =
    sizeof(Record) == size && alignof(Record) <= 8 &&
    std::is_standard_layout_v<Record>&& std::is_trivially_copyable_v<
        Record>&& std::has_unique_object_representations_v<Record>;

}  // namespace mazurka

// In `record`, `next` begins where `last` ends.
#define MAZURKA_FOLLOWS(record, last, next)                                              \
  static_assert(offsetof(record, next) == offsetof(record, last) + sizeof(record::last), \
                #record ": there is hidden padding before " #next)
