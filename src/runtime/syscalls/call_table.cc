#include "runtime/syscalls/call_table.h"

#include <sys/syscall.h>

#include <cstddef>
#include <cstdio>

#include "runtime/syscalls/commands_of_calls.h"

namespace mazurka {
namespace {

constexpr long kRowCount = 467;

struct Table {
  CallRow rows[kRowCount];
};

constexpr Table make_table() {
  Table table{};
#define MAZURKA_ROW(number, name, ...) table.rows[number] = {#name, __VA_ARGS__};
#define MAZURKA_UNKNOWN(number, name) MAZURKA_ROW(number, name, Known::Unknown, Why::None, true)
#define MAZURKA_MODELLED(number, name) MAZURKA_ROW(number, name, Known::Modelled, Why::None, true)
#define MAZURKA_MODELLED_LOOK(number, name) \
  MAZURKA_ROW(number, name, Known::Modelled, Why::None, false)
#define MAZURKA_HARMLESS(number, name, why) \
  MAZURKA_ROW(number, name, Known::Harmless, Why::why, false)
#define MAZURKA_TRACE(number, name, why) MAZURKA_ROW(number, name, Known::Harmless, Why::why, true)
#define MAZURKA_PROCESS(number, name) MAZURKA_ROW(number, name, Known::OfProcess, Why::None, true)
#define MAZURKA_LIBC(number, name) MAZURKA_ROW(number, name, Known::OfLibc, Why::None, true)
#define MAZURKA_BY_COMMAND(number, name) \
  MAZURKA_ROW(number, name, Known::ByCommand, Why::None, true)
#include "runtime/syscalls/call_rows.inc"
  return table;
}
constexpr Table kTable = make_table();
constexpr CallRow kNone;

constexpr bool rows_are_in_place() {
  return kTable.rows[SYS_read].known == Known::Modelled &&
         kTable.rows[SYS_futex_waitv].known == Known::Unknown &&
         kTable.rows[SYS_close_range].known == Known::Modelled &&
         kTable.rows[SYS_uname].known == Known::Harmless &&
         kTable.rows[SYS_rseq].known == Known::OfLibc;
}
static_assert(rows_are_in_place());

}  // namespace

const CallRow& row_of_call(long number) {
  return number >= 0 && number < kRowCount ? kTable.rows[number] : kNone;
}

bool is_unknown_call(long number, const long* arguments, CallMaker maker) {
  switch (row_of_call(number).known) {
    case Known::Unknown:
      return true;
    case Known::Modelled:
      return maker.is_libc && !libc_may_make(number, arguments);
    case Known::Harmless:
      return false;
    case Known::OfProcess:
      return !maker.is_only_thread && !only_reads(number, arguments);
    case Known::OfLibc:
      return !maker.is_libc;
    case Known::ByCommand:
      return is_unknown_command(number, arguments, maker.is_libc);
  }
  return true;
}

const char* name_of_call(long number) {
  if (const char* const name = row_of_call(number).name) return name;
  static char text[32];
  snprintf(text, sizeof text, "system call %ld", number);
  return text;
}

}  // namespace mazurka
