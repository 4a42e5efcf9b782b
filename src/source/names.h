// Names and paths as a person wants to read them, and whose code they belong to. Text only, no
// files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mazurka {

// The C++ name of a mangled symbol; any other symbol unchanged.
std::string demangle(const std::string& symbol);

// The demangled name as our debug-information names look: without parameters, return type and
// "(anonymous namespace)".
// "_ZN7Account7depositEi" gives "Account::deposit".
std::string function_name(const std::string& symbol);
std::string object_name(const std::string& symbol);

// A header of the compiler, the C or C++ library or Mazurka itself.
bool is_system_file(std::string_view path);

// libc, libstdc++, the loader, our runtime, or anything installed beside them.
bool is_system_module(std::string_view path);
bool is_runtime_module(std::string_view path);

// Code of the C++ library compiled into the user's own module, where only its name gives it away.
bool is_library_function(std::string_view name);

// Starts with "__" or "_" and a capital: such names are the library's own ([lex.name]).
bool is_reserved_identifier(std::string_view name);

// How a lambda is called in names.
inline constexpr std::string_view kLambda = "{lambda}";

// "0x1f"
std::string hex(uint64_t value);

std::string_view file_part(std::string_view path);

// Joins a relative `path` to `directory` and removes "." and "..".
std::string absolute_path(const std::string& path, const std::string& directory);

// Relative to `directory` if `path` lies under it, else unchanged.
std::string shorten(const std::string& path, const std::string& directory);

}  // namespace mazurka
