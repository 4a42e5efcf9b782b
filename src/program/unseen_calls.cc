#include "program/unseen_calls.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "program/instrumentation.h"

namespace mazurka {
namespace {

// Sorted. What only reads its format and writes a stream counts, too: it may be given shared strings.
constexpr std::string_view kFunctions[] = {
    "asprintf", "atof", "atoi", "atol", "atoll", "bcopy", "bsearch", "bzero", "explicit_bzero", "fgets", "fgetws",
    "fprintf", "fputs", "fread", "fscanf", "fwrite", "getcwd", "getdelim", "getline", "gettimeofday", "gmtime_r",
    "hcreate_r", "iconv", "index", "inet_ntop", "inet_pton", "lfind", "localtime_r", "lsearch", "memccpy", "memfrob",
    "memmem", "mempcpy", "memrchr", "perror", "pread", "preadv", "printf", "puts", "pwrite", "pwritev", "qsort", "qsort_r",
    "rand_r", "random_r", "rawmemchr", "read", "readlink", "readv", "realpath", "recv", "recvfrom", "recvmsg", "regcomp",
    "regexec", "rindex", "scanf", "send", "sendmsg", "sendto", "setvbuf", "snprintf", "sprintf", "sscanf", "stpncpy",
    "strcasecmp", "strcasestr", "strchrnul", "strcoll", "strcspn", "strerror_r", "strfry", "strftime", "strncasecmp",
    "strndup", "strpbrk", "strsep", "strspn", "strtod", "strtof", "strtok", "strtok_r", "strtol", "strtold", "strtoll",
    "strtoul", "strtoull", "strverscmp", "strxfrm", "swab", "swprintf", "tdelete", "tfind", "tsearch", "twalk", "vasprintf",
    "vfprintf", "vprintf", "vsnprintf", "vsprintf", "wcscat", "wcschr", "wcscmp", "wcscpy", "wcslen", "wcsncpy", "wmemcpy",
    "wmemmove", "wmemset", "write", "writev"};

// What of the C++ library is not in its headers, by how its symbols begin.
constexpr std::pair<std::string_view, const char*> kOfLibrary[] = {
    {"_ZNSt7__cxx1112basic_string", "std::string"},   {"_ZNKSt7__cxx1112basic_string", "std::string"},
    {"_ZSt18_Rb_tree", "std::map"},                   {"_ZSt28_Rb_tree", "std::map"},
    {"_ZSt29_Rb_tree", "std::map"},                   {"_ZNSt8__detail15_List_node_base", "std::list"},
    {"_ZNKSt8__detail20_Prime_rehash_policy", "std::unordered_map"},
    {"_ZStls", "std::ostream"},                       {"_ZNSo", "std::ostream"},
    {"_ZSt16__ostream_insert", "std::ostream"},       {"_ZNSi", "std::istream"},
    {"_ZStrs", "std::istream"},                       {"_ZSt7getline", "std::getline"},
    {"_ZNSt7__cxx1115basic_string", "std::stringbuf"}, {"_ZNSt7__cxx1118basic_string", "std::stringstream"},
    {"_ZNSt7__cxx1119basic_string", "std::stringstream"}};

// Seen, but not in the form that checks sizes (_FORTIFY_SOURCE).
constexpr std::string_view kSeenUnchecked[] = {"memcpy", "memmove", "memset", "stpcpy", "strcat", "strcpy", "strncat", "strncpy"};

template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

// "__printf_chk" is printf, "__isoc99_sscanf" is sscanf.
std::string_view plain_name(std::string_view symbol) {
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__"}) {
    if (!symbol.starts_with(prefix)) continue;
    symbol.remove_prefix(prefix.size());
    break;
  }
  if (symbol.ends_with("_chk")) symbol.remove_suffix(4);
  return symbol;
}

// A file of the program, read as a whole.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      size_ = static_cast<size_t>(status.st_size);
      void* const bytes = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
      if (bytes != MAP_FAILED) bytes_ = static_cast<const char*>(bytes);
    }
    close(fd);
  }
  ~MappedFile() {
    if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Null if the file does not have so much.
  template <typename T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    const bool fits = bytes_ != nullptr && offset <= size_ && count <= (size_ - offset) / sizeof(T) && offset % alignof(T) == 0;
    return fits ? reinterpret_cast<const T*>(bytes_ + offset) : nullptr;
  }

 private:
  const char* bytes_ = nullptr;
  size_t size_ = 0;
};

// Calls f(name) for each function or variable that the file wants from others. A damaged file costs names, never more.
template <typename F>
void each_import(const MappedFile& file, F&& f) {
  const auto* const header = file.at<Elf64_Ehdr>(0);
  if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) return;
  const auto* const sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return;
  for (uint32_t i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= header->e_shnum) continue;
    const uint64_t count = sections[i].sh_size / sizeof(Elf64_Sym);
    const Elf64_Shdr& strings = sections[sections[i].sh_link];
    const auto* const symbols = file.at<Elf64_Sym>(sections[i].sh_offset, count);
    const auto* const text = file.at<char>(strings.sh_offset, strings.sh_size);
    if (symbols == nullptr || text == nullptr || strings.sh_size == 0 || text[strings.sh_size - 1] != '\0') return;
    for (uint64_t k = 0; k < count; ++k) {
      if (symbols[k].st_shndx == SHN_UNDEF && symbols[k].st_name < strings.sh_size) f(text + symbols[k].st_name);
    }
  }
}

}  // namespace

std::string unseen_call(const std::string& symbol) {
  for (const auto& [prefix, name] : kOfLibrary) {
    if (symbol.starts_with(prefix)) return name;
  }
  const std::string_view name = plain_name(symbol);
  const bool is_checked = symbol.ends_with("_chk");
  return has(kFunctions, name) || (is_checked && has(kSeenUnchecked, name)) ? std::string(name) : "";
}

std::vector<std::string> unseen_calls(const std::vector<LoadedModule>& modules) {
  std::set<std::string> names;
  for (const LoadedModule& module : modules) {
    if (module.path.empty() || module.path[0] != '/' || !is_instrumented(module.path)) continue;
    each_import(MappedFile(module.path), [&](const char* symbol) {
      if (std::string name = unseen_call(symbol); !name.empty()) names.insert(std::move(name));
    });
  }
  return {names.begin(), names.end()};
}

}  // namespace mazurka
