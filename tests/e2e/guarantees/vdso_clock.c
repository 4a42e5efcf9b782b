// check: verdict=incomplete
// A clock that is looked up in the kernel's own library, past libc.
#define _GNU_SOURCE
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

typedef int Clock(clockid_t, struct timespec*);

// It has few symbols, all of them in the one segment that is loaded.
static Clock* look_up(const char* base) {
  const Elf64_Ehdr* const file = (const Elf64_Ehdr*)base;
  const Elf64_Phdr* const parts = (const Elf64_Phdr*)(base + file->e_phoff);
  const Elf64_Dyn* entry = NULL;
  for (int i = 0; i < file->e_phnum; ++i)
    if (parts[i].p_type == PT_DYNAMIC) entry = (const Elf64_Dyn*)(base + parts[i].p_offset);
  const Elf64_Sym* symbols = NULL;
  const char* names = NULL;
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols = (const Elf64_Sym*)(base + entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = base + entry->d_un.d_ptr;
  }
  for (int i = 1; (const char*)(symbols + i) < names; ++i)
    if (strcmp(names + symbols[i].st_name, "__vdso_clock_gettime") == 0)
      return (Clock*)(base + symbols[i].st_value);
  return NULL;
}

int main(void) {
  struct timespec now;
  look_up((const char*)getauxval(AT_SYSINFO_EHDR))(CLOCK_MONOTONIC, &now);
}
