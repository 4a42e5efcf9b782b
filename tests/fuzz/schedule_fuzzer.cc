// A libFuzzer target for schedule files: what can be read is written again as the same.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "report/input/schedule_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mazurka;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<ScheduleFile> file = parse_schedule(text, "f.schedule");
  if (!file) return 0;
  const std::string written = to_text(*file);
  const Result<ScheduleFile> again = parse_schedule(written, "g.schedule");
  MAZURKA_CHECK(again.ok());
  MAZURKA_CHECK(to_text(*again) == written);
  return 0;
}
