// Member functions of the C++ library that are not in its headers, so that no instrumented code
// does what they do. Of an object they count as a read of it or, if they are not const, a write:
// the standard asks no less of those who share it. What pointers to characters and references to
// strings lead to they read.
#include <dlfcn.h>

#include <cstring>
#include <string_view>

#include "runtime/accesses/visible_accesses.h"
#include "runtime/libc/imports.h"
#include "runtime/libc/seen_calls.h"

namespace mazurka {
namespace {

struct Rule {
  std::string_view beginning;  // of the symbol
  size_t size;                 // of the part of the object that tells for all of it
  bool writes;
};
constexpr Rule kRules[] = {{"_ZNKSt7__cxx1112basic_string", 32, false},
                           {"_ZNSt7__cxx1112basic_string", 32, true},
                           {"_ZNKSt7__cxx1115basic_stringbuf", 8, false},
                           {"_ZNSt7__cxx1115basic_stringbuf", 8, true},
                           {"_ZNKSt7__cxx1118basic_stringstream", 8, false},
                           {"_ZNSt7__cxx1118basic_stringstream", 8, true},
                           {"_ZNKSt7__cxx1119basic_", 8, false},
                           {"_ZNSt7__cxx1119basic_", 8, true},
                           {"_ZNKSt8ios_base", 8, false},
                           {"_ZNSt8ios_base", 8, true},
                           {"_ZNKSt9basic_ios", 8, false},
                           {"_ZNSt9basic_ios", 8, true},
                           {"_ZNKSt14basic_", 8, false},
                           {"_ZNSt14basic_", 8, true},
                           {"_ZNSt15basic_streambuf", 8, true},
                           {"_ZNKSt15basic_streambuf", 8, false},
                           {"_ZNKSt13basic_", 8, false},
                           {"_ZNSt13basic_", 8, true},
                           {"_ZNSt6localeC", 8, true},
                           {"_ZNSt6localeD", 8, true},
                           {"_ZNKSt6locale", 8, false},
                           {"_ZNSo", 8, true},
                           {"_ZNSi", 8, true},
                           {"_ZStls", 8, true},
                           {"_ZStrs", 8, true},
                           {"_ZSt16__ostream_insert", 8, true},
                           {"_ZSt4endl", 8, true},
                           {"_ZSt5flush", 8, true},
                           {"_ZSt7getline", 8, true}};

bool begins(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && memcmp(text.data(), with.data(), with.size()) == 0;
}

// Requires that it has so many. (The C++ library's own would throw.)
std::string_view without(std::string_view text, size_t first) {
  text.remove_prefix(first);
  return text;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The standard streams may be used by several threads at once.
bool is_standard_stream(uint64_t address) {
  constexpr const char* kStreams[] = {"_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog",  "_ZSt3cin",
                                      "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog", "_ZSt4wcin"};
  static uint64_t places[sizeof kStreams / sizeof *kStreams];
  if (places[0] == 0) {
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
      places[i] = reinterpret_cast<uint64_t>(dlsym(RTLD_DEFAULT, kStreams[i]));
  }
  for (const uint64_t place : places) {
    if (place == address) return true;
  }
  return false;
}

// An object that is returned by value has its place before all arguments.
bool returns_object(std::string_view symbol) {
  return has(symbol, "6substr") || has(symbol, "3strEv") || has(symbol, "6getloc");
}

void reads_string(uint64_t string, const SeenAccesses& at) {
  const auto* const words = reinterpret_cast<const uint64_t*>(string);
  at.reads(words, 32);
  if (is_place(words)) at.reads(reinterpret_cast<const void*>(words[0]), words[1]);
}

// The arguments after the object, as the symbol's end tells them: "PKcm" is characters and how
// many.
void reads_arguments(std::string_view symbol, const uint64_t* next, const uint64_t* end,
                     const SeenAccesses& at) {
  const size_t marked = symbol.find("EPKc");
  if (has(symbol, "ERKS4_") && next < end) return reads_string(*next, at);
  if (marked == std::string_view::npos) {
    if (symbol.size() > 5 && without(symbol, symbol.size() - 4) == "_PKc" && next < end)
      at.text(reinterpret_cast<const char*>(*next));
    return;
  }
  const std::string_view rest = without(symbol, marked + 4);
  const auto* const text = reinterpret_cast<const char*>(*next);
  if (rest.empty() && next < end) return at.text(text);
  const bool has_place_first = rest == "mm";  // find(text, from, size)
  if (rest[0] == 'm' || rest[0] == 'l') at.reads(text, next[has_place_first ? 2 : 1]);
}

}  // namespace

bool apply_library_rule(const char* name, const StubFrame& frame, void* caller) {
  const std::string_view symbol = name;
  for (const Rule& rule : kRules) {
    if (!begins(symbol, rule.beginning)) continue;
    const uint64_t registers[] = {frame.rdi, frame.rsi, frame.rdx, frame.rcx, frame.r8, frame.r9};
    const size_t first = returns_object(symbol) ? 1 : 0;
    const uint64_t object = registers[first];
    const bool is_creation = has(symbol, "9_M_create");
    if (is_standard_stream(object) || is_creation) return true;
    if (accesses_are_visible) return false;  // its contents are not interleaved
    const SeenAccesses at(name, caller);
    reads_arguments(symbol, registers + first + 1, registers + 6, at);
    auto* const place = reinterpret_cast<void*>(object);
    if (rule.writes) {
      at.writes(place, rule.size);
    } else {
      at.reads(place, rule.size);
    }
    return true;
  }
  return false;
}

}  // namespace mazurka
