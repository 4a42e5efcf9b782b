#include "source/names.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace mazurka {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <size_t count>
bool starts_with_any(std::string_view text, const std::array<std::string_view, count>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

void replace_all(std::string& text, std::string_view part, std::string_view by) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + by.size())) {
    text.replace(at, part.size(), by);
  }
}

// Drops every parameter list that is not inside template arguments or a lambda's name.
std::string without_parameters(const std::string& name) {
  std::string kept;
  int inside_name = 0;
  int inside_parameters = 0;
  for (char c : name) {
    if (c == '(' && inside_name == 0) ++inside_parameters;
    if (inside_parameters == 0) {
      if (c == '<' || c == '{') ++inside_name;
      if (c == '>' || c == '}') --inside_name;
      kept += c;
    }
    if (c == ')' && inside_parameters > 0) --inside_parameters;
  }
  return kept;
}

// What stands after the last blank outside of template arguments: a function's name after its
// return type.
std::string last_word(const std::string& text) {
  int inside = 0;
  for (size_t i = text.size(); i > 0; --i) {
    const char c = text[i - 1];
    if (c == '>' || c == '}') ++inside;
    if (c == '<' || c == '{') --inside;
    if (c == ' ' && inside == 0) return text.substr(i);
  }
  return text;
}

// "{lambda(int)#2}::operator()" in gcc's names and "$_1::operator()" in clang's.
void simplify_lambdas(std::string& name) {
  for (size_t at = name.find("{lambda("); at != std::string::npos; at = name.find("{lambda(", at)) {
    int depth = 0;
    size_t end = at;
    do {
      if (name[end] == '{') ++depth;
      if (name[end] == '}') --depth;
      ++end;
    } while (depth > 0 && end < name.size());
    name.replace(at, end - at, kLambda);
  }
  for (size_t at = name.find("$_"); at != std::string::npos; at = name.find("$_", at)) {
    size_t end = at + 2;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    name.replace(at, end - at, kLambda);
  }
  replace_all(name, "{lambda}::operator()", kLambda);
}

// The demangled name without what debug information does not say either. Operators are left whole:
// their names contain the very brackets that we count.
std::string plain_name(const std::string& symbol) {
  std::string name = demangle(symbol);
  replace_all(name, "(anonymous namespace)::", "");
  simplify_lambdas(name);
  if (contains(name, "operator")) return name;
  name = without_parameters(name);
  replace_all(name, " const::", "::");
  return name;
}

// A static local of a C function: "worker.lock" by clang, "lock.0" by gcc.
std::string c_object_name(const std::string& symbol) {
  const size_t dot = symbol.find('.', 1);
  if (dot == std::string::npos) return symbol;
  const std::string rest = symbol.substr(dot + 1);
  const std::string first = symbol.substr(0, dot);
  return rest.find_first_not_of("0123456789") == std::string::npos ? first : first + "::" + rest;
}

void remove_suffix(std::string& text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
}

}  // namespace

std::string demangle(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? std::string(name.get()) : symbol;
}

std::string object_name(const std::string& symbol) {
  return symbol.starts_with("_Z") ? plain_name(symbol) : c_object_name(symbol);
}

std::string function_name(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  std::string name = plain_name(symbol);
  if (size_t clone = name.find(" [clone"); clone != std::string::npos) name.resize(clone);
  if (contains(name, "operator")) return name;
  for (std::string_view suffix : {"&&", "&", " ", " volatile", " const"})
    remove_suffix(name, suffix);
  return last_word(name);
}

bool is_system_file(std::string_view path) {
  static constexpr std::array<std::string_view, 6> kRoots = {
      "/usr/include/", "/usr/local/include/", "/usr/lib/gcc/",
      "/usr/lib/llvm", "/usr/lib/clang/",     "/usr/local/lib/gcc/"};
  return starts_with_any(path, kRoots) || contains(path, "/include/c++/") ||
         contains(path, "/include/mazurka/");
}

bool is_system_module(std::string_view path) {
  static constexpr std::array<std::string_view, 7> kRoots = {
      "/lib/", "/lib64/", "/lib32/", "/usr/lib/", "/usr/lib64/", "/usr/lib32/", "["};
  static constexpr std::array<std::string_view, 15> kNames = {
      "libc.so",      "libc-",         "libpthread", "libstdc++.so", "libc++.so",
      "libc++abi.so", "libgcc_s.so",   "ld-linux",   "ld-musl",      "libm.so",
      "librt.so",     "linux-vdso.so", "libtsan.so", "libasan.so",   "libubsan.so"};
  return starts_with_any(path, kRoots) || starts_with_any(file_part(path), kNames) ||
         is_runtime_module(path);
}

bool is_runtime_module(std::string_view path) {
  return file_part(path).starts_with("libmazurka_rt");
}

bool is_library_function(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kPrefixes = {"std::", "__gnu_cxx::", "__gthread",
                                                                "__cxxabiv1::", "_start"};
  return starts_with_any(name, kPrefixes);
}

bool is_reserved_identifier(std::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

std::string hex(uint64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
  return text.data();
}

std::string_view file_part(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string absolute_path(const std::string& path, const std::string& directory) {
  if (path.empty()) return path;
  return (std::filesystem::path(directory) / path).lexically_normal().string();
}

std::string shorten(const std::string& path, const std::string& directory) {
  std::string prefix = directory;
  while (prefix.ends_with('/')) prefix.pop_back();
  if (prefix.empty() || !path.starts_with(prefix + "/")) return path;
  return path.substr(prefix.size() + 1);
}

}  // namespace mazurka
