#define _GNU_SOURCE
#include "source/testdata/probe.h"

#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static const char* next_marker;
static const char* next_function;

static int print_module(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size;
  (void)unused;
  char self[4096] = "";
  uintptr_t start = UINTPTR_MAX;
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + header->p_vaddr;
    if (from < start) start = from;
    if (from + header->p_memsz > end) end = from + header->p_memsz;
  }
  if (info->dlpi_name[0] == '\0' && readlink("/proc/self/exe", self, sizeof self - 1) < 0) return 0;
  printf("module %s %p %p %p\n", self[0] ? self : info->dlpi_name, (void*)info->dlpi_addr,
         (void*)start, (void*)end);
  return 0;
}

void probe_modules(void) { dl_iterate_phdr(print_module, NULL); }

void probe_data(const char* name, const void* address) { printf("data %s %p\n", name, address); }

void probe_next_lock(const char* marker, const char* function) {
  next_marker = marker;
  next_function = function;
}

__attribute__((noinline)) int pthread_mutex_lock(pthread_mutex_t* mutex) {
  (void)mutex;
  if (next_marker == NULL) return 0;
  const char* marker = next_marker;
  next_marker = NULL;
  void* stack[64];
  int count = backtrace(stack, 64);
  printf("code %s %s", marker, next_function);
  for (int i = 1; i < count; ++i) printf(" %p", stack[i]);
  printf("\n");
  return 0;
}
