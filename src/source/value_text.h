// Values of a stopped program as text: numbers, structures, arrays, what pointers point at.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <string>
#include <vector>

#include "source/frame_state.h"
#include "source/location.h"

namespace mazurka {

// A place in the program with the type of what is there.
struct TypedPlace {
  Location location;
  Dwarf_Die type;
  uint32_t dimension = 0;  // of an array of arrays, which is one type: so many indices were given
};

// "42", "{x = 1, y = 2}", "0x5555555592a0 \"hello\"". Never long.
std::string value_text(const TypedPlace& value, const ReadMemory& memory);

// A part of a value, and what it is called there: "next", "[3]".
struct NamedPlace {
  std::string name;
  TypedPlace place;
};

// What a structure, an array, a container or what a pointer leads to consists of, at most so many.
// Empty for what has no parts, or is shown as a whole (text).
std::vector<NamedPlace> parts_of(const TypedPlace& value, const ReadMemory& memory, size_t most);

// "int", "struct node *", "std::vector<int>"; empty if it has no name.
std::string type_name(Dwarf_Die type);

// Without what nobody writes: "vector<int>" for "vector<int, std::allocator<int> >".
std::string short_type(std::string name);

// Without typedefs and qualifiers.
std::optional<Dwarf_Die> plain_type(Dwarf_Die die);
std::optional<uint64_t> byte_size(Dwarf_Die type);

// Parts of a value; nothing where it has none such. A member of a base class counts as its own.
std::optional<TypedPlace> member(const TypedPlace& value, const std::string& name);
std::optional<TypedPlace> element(const TypedPlace& value, uint64_t place,
                                  const ReadMemory& memory);
// What a pointer or a reference leads to.
std::optional<TypedPlace> pointee(const TypedPlace& value, const ReadMemory& memory);
// How many an array has at its place, by the indices given; 0 if that is not known.
uint64_t array_length(const TypedPlace& value);
// The bytes of something no larger than a word; of a bit-field just its bits.
std::optional<uint64_t> raw_value(const Location& location, uint64_t bytes,
                                  const ReadMemory& memory);
// Of an integer, a pointer, an enumerator.
std::optional<uint64_t> scalar(const TypedPlace& value, const ReadMemory& memory);

}  // namespace mazurka
