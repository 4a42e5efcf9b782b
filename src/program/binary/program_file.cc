#include "program/binary/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "program/binary/symbol_names.h"

namespace mazurka {
namespace {

constexpr size_t kMaxProgramHeaders = 65'536 * sizeof(Elf64_Phdr);
constexpr int kMaxScripts =
    4;  // a script's interpreter may be a script: as deep as the kernel goes

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return fd_ >= 0; }

  // Up to `size` bytes at `offset`; fewer at the end of the file.
  std::string read(size_t size, uint64_t offset) const {
    std::string bytes(size, '\0');
    const ssize_t got = pread(fd_, bytes.data(), size, static_cast<off_t>(offset));
    bytes.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return bytes;
  }

 private:
  int fd_;
};

std::vector<std::string> path_directories() {
  const char* variable = std::getenv("PATH");
  const std::string_view path = variable != nullptr ? variable : "/bin:/usr/bin";
  std::vector<std::string> directories;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    directories.emplace_back(end == at ? "." : path.substr(at, end - at));
    at = end + 1;
  }
  return directories;
}

bool is_executable_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

Result<std::string> find_in_path(const std::string& name) {
  for (const std::string& directory : path_directories()) {
    std::string candidate = directory;
    candidate.append("/").append(name);
    if (is_executable_file(candidate)) return candidate;
  }
  return Error{"there is no program " + name + " in PATH" +
               (access(name.c_str(), F_OK) == 0 ? "; did you mean ./" + name + "?" : "")};
}

// What does not depend on the format of the file.
Result<void> check_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return Error{path + ": " + std::strerror(errno)};
  if (S_ISDIR(status.st_mode)) return Error{path + " is a directory, not a program"};
  if (!S_ISREG(status.st_mode)) return Error{path + " is not a regular file"};
  if (access(path.c_str(), X_OK) != 0) return Error{path + " is not executable"};
  if (access(path.c_str(), R_OK) != 0)
    return Error{path + " cannot be read: " + std::strerror(errno)};
  if ((status.st_mode & (S_ISUID | S_ISGID)) != 0) {
    return Error{path + " is setuid or setgid: such a program refuses to load Mazurka's runtime"};
  }
  if (getxattr(path.c_str(), "security.capability", nullptr, 0) > 0) {
    return Error{path + " has file capabilities: such a program refuses to load Mazurka's runtime"};
  }
  return {};
}

constexpr uint16_t kOurMachine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#else
#error "Mazurka does not know this machine"
#endif

// Empty if there is none.
std::string loader_of(const OpenFile& file, const Elf64_Ehdr& header) {
  const size_t size = size_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phentsize != sizeof(Elf64_Phdr) || size > kMaxProgramHeaders) return "";
  const std::string bytes = file.read(size, header.e_phoff);
  for (size_t at = 0; at + sizeof(Elf64_Phdr) <= bytes.size(); at += sizeof(Elf64_Phdr)) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type != PT_INTERP || segment.p_filesz > 4096) continue;
    const std::string name = file.read(segment.p_filesz, segment.p_offset);
    return name.substr(0, name.find('\0'));
  }
  return "";
}

Result<void> check_elf(const std::string& path, const OpenFile& file, const std::string& start) {
  if (start.size() < sizeof(Elf64_Ehdr)) return Error{path + " is a damaged ELF file"};
  Elf64_Ehdr header;
  std::memcpy(&header, start.data(), sizeof header);
  if (header.e_ident[EI_CLASS] == ELFCLASS32) return Error{path + " is a 32-bit program"};
  if (header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != kOurMachine) {
    return Error{path + " is built for another architecture"};
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return Error{path + " is an ELF file, but not a program"};
  }
  const std::string loader = loader_of(file, header);
  if (loader.empty()) {
    return Error{path + " is statically linked: Mazurka needs a dynamically linked program"};
  }
  if (loader.find("/ld-linux") == std::string::npos) {
    return Error{path + " is linked with the loader " + loader +
                 ", not with that of the GNU C library"};
  }
  return {};
}

// The interpreter that the first line of a script names.
std::optional<std::string> interpreter_of(const std::string& start) {
  if (start.substr(0, 2) != "#!") return std::nullopt;
  const std::string line = start.substr(0, start.find('\n'));
  const size_t begin = line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) return std::nullopt;
  return line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
}

// clang puts ThreadSanitizer's runtime into the program, where no other can take its place: then it
// needs no library for it.
bool holds_tsan(const SymbolNames& names) {
  return names.mention("__tsan_init") && !names.mention("libtsan.so") &&
         !names.mention("libmazurka_rt");
}

// AddressSanitizer's runtime must be the first of all libraries, which ours is.
bool needs_asan(const SymbolNames& names) {
  return names.mention("__asan_version_mismatch_check") && names.mention("__asan_init") &&
         !names.stand_beside("libmazurka_rt");  // as in the command itself
}

// As with ThreadSanitizer: gcc has a library for it, which does not stand in the way.
bool holds_ubsan(const SymbolNames& names) {
  return names.mention("__ubsan_handle_") && names.mention("__sanitizer_set_report_fd") &&
         !names.mention("libubsan.so") && !names.mention("libmazurka_rt");
}

// Why a program that a sanitizer's runtime is in cannot be checked; empty if it can be.
std::string trouble_with_sanitizer(const std::string& path) {
  const SymbolNames names(path);
  if (!names.are_known()) return "";
  if (holds_tsan(names)) {
    return " holds ThreadSanitizer's own runtime (clang links it so): link it with "
           "mazurka-cc or mazurka-c++";
  }
  if (needs_asan(names)) {
    return " is built with AddressSanitizer, which cannot share a process with Mazurka: build it "
           "without -fsanitize=address";
  }
  if (holds_ubsan(names)) {
    return " holds UndefinedBehaviorSanitizer's runtime (clang links it so): build it with "
           "-fsanitize-trap=undefined, or with gcc";
  }
  return "";
}

Result<ProgramFile> inspect_file(const std::string& path, int scripts) {
  if (Result<void> checked = check_file(path); !checked) return checked.error();
  const OpenFile file(path);
  if (!file.is_open()) return Error{path + ": " + std::strerror(errno)};
  const std::string start = file.read(4096, 0);
  if (start.substr(0, SELFMAG) == ELFMAG) {
    if (Result<void> checked = check_elf(path, file, start); !checked) return checked.error();
    if (const std::string trouble = trouble_with_sanitizer(path); !trouble.empty())
      return Error{path + trouble};
    return ProgramFile{path, ""};
  }
  const std::optional<std::string> interpreter = interpreter_of(start);
  if (!interpreter) return Error{path + " is neither an ELF program nor a script with #!"};
  if (scripts == kMaxScripts) return Error{path + ": too many scripts interpret each other"};
  const Result<ProgramFile> inspected = inspect_file(*interpreter, scripts + 1);
  if (!inspected) return Error{path + " is a script: " + inspected.error().message};
  return ProgramFile{path, *interpreter};
}

}  // namespace

Result<ProgramFile> inspect_program(const std::string& program) {
  if (program.empty()) return Error{"the name of the program is empty"};
  if (program.find('/') != std::string::npos) return inspect_file(program, 0);
  const Result<std::string> found = find_in_path(program);
  if (!found) return found.error();
  return inspect_file(*found, 0);
}

}  // namespace mazurka
