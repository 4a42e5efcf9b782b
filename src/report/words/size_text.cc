#include "report/words/size_text.h"

#include <fmt/format.h>

#include <cmath>

namespace mazurka {
namespace {

// With three digits that mean something.
std::string rounded(double number) {
  if (number < 1000) return fmt::format("{:.0f}", number);
  const double unit = std::pow(10, std::floor(std::log10(number)) - 2);
  return fmt::format("{:.0f}", std::round(number / unit) * unit);
}

std::string range_text(const std::string& mean, const std::string& low, const std::string& high) {
  return low == high ? mean : fmt::format("{} ({} to {})", mean, low, high);
}

}  // namespace

std::string number_text(double log_number) {
  const double digits = log_number / std::log(10);
  if (digits < 6) return rounded(std::exp(log_number));
  double exponent = std::floor(digits);
  double factor = std::pow(10, digits - exponent);
  if (factor >= 9.95) {
    factor = 1;
    ++exponent;
  }
  return fmt::format("{:.1f} * 10^{:.0f}", factor, exponent);
}

std::string duration_text(double log_seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 60 * kMinute;
  constexpr double kDay = 24 * kHour;
  constexpr double kYear = 365.25 * kDay;
  if (log_seconds >= std::log(1000 * kYear))
    return number_text(log_seconds - std::log(kYear)) + " years";
  const double seconds = std::exp(log_seconds);
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * kMinute) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 100 * kHour) return fmt::format("{:.1f} h", seconds / kHour);
  if (seconds < 2 * kYear) return fmt::format("{:.0f} days", seconds / kDay);
  return fmt::format("{:.0f} years", seconds / kYear);
}

std::string size_text(const TreeSize& size) {
  if (size.is_exact) return fmt::format("{:.0f}", std::exp(size.log_mean));
  if (std::isinf(size.log_high))
    return fmt::format("about {} ({} or more)", number_text(size.log_mean),
                       number_text(size.log_low));
  return "about " + range_text(number_text(size.log_mean), number_text(size.log_low),
                               number_text(size.log_high));
}

std::string time_text(const TreeSize& size, double rate) {
  const double log_rate = std::log(rate);
  if (std::isinf(size.log_high)) {
    return fmt::format("{} ({} or more)", duration_text(size.log_mean - log_rate),
                       duration_text(size.log_low - log_rate));
  }
  return range_text(duration_text(size.log_mean - log_rate), duration_text(size.log_low - log_rate),
                    duration_text(size.log_high - log_rate));
}

}  // namespace mazurka
