// Classes of the C++ library (libstdc++) as a person thinks of them: a vector is its elements, an
// optional its value or nothing. Read by the names of their private members, which have been the
// same for years; where these are others, the class is shown like any other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source/value_text.h"

namespace mazurka {

struct LibraryValue {
  enum class Shape : uint8_t {
    Text,     // `text` is all there is to say
    Inner,    // it is its only part
    List,     // its parts are elements
    Map,      // its parts are keys and values in turn
    Pointer,  // its only part is a pointer
  };
  Shape shape = Shape::Text;
  std::string text;  // of a Pointer: what is said behind it
  std::vector<TypedPlace> parts;
  uint64_t count = 0;  // elements that there are: there may be more than parts
};

// At most so many elements. Nothing if it is no such class, or not made yet.
std::optional<LibraryValue> library_value(const TypedPlace& value, const ReadMemory& memory,
                                          size_t most);

// In double quotes, with what cannot be shown as '?'; "..." behind it if it is `cut`.
std::string quoted(const std::string& text, bool cut);
inline constexpr size_t kMostText = 60;

}  // namespace mazurka
