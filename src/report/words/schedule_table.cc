#include "report/words/schedule_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "objects/all_words.h"

namespace mazurka {
namespace {

constexpr size_t kMostRows = 30;       // unless all are wanted
constexpr size_t kGap = 2;             // between columns
constexpr size_t kNumberColumns = 8;   // "*   12  "
constexpr size_t kFewestColumns = 24;  // of an operation, unless it is shorter
constexpr size_t kFewestSourceColumns = 12;
constexpr size_t kMostSourceColumns = 60;

struct Row {
  size_t step = 0;
  size_t left_out = 0;  // so many steps, and no step of its own
  size_t column = 0;
  std::string what;
  std::string place;
  std::string source;
  std::string output;  // of all steps that it stands for
  size_t times = 1;    // the same step again and again
  bool preempts = false;
  bool is_critical = false;
  bool is_last = false;
};

class Table {
 public:
  Table(const Finding& finding, const Explanation& explanation, const Describer& describer,
        const TextStyle& style)
      : finding_(finding), explanation_(explanation), describer_(describer), style_(style) {
    read_rows();
  }

  std::string text() {
    const size_t place = widest(&Row::place);
    size_t columns = kNumberColumns;
    for (const size_t width : widths_) columns += width + kGap;
    if (columns + place <= style_.width) return heading() + lines(columns, place, true);
    const size_t list = kNumberColumns + widest_thread() + kGap;
    const size_t what = widest(&Row::what);
    if (list + what + kGap + place <= style_.width) return lines(list + what + kGap, place, false);
    if (list + kFewestColumns + kGap + place <= style_.width) {
      return lines(style_.width - place, place, false);
    }
    return lines(std::max(style_.width + kGap, list + kFewestColumns), 0, false);
  }

 private:
  void read_rows() {
    Row left_out;
    for (size_t i = 0; i < explanation_.steps.size(); ++i) {
      if (!style_.is_full && !explanation_.steps[i].matters) {
        ++left_out.left_out;
        left_out.output += finding_.execution.transitions[i].output;
        continue;
      }
      add_left_out(left_out);
      add(i);
    }
    add_left_out(left_out);
    note_repeats();
    if (!style_.is_full) shorten();
  }

  // A schedule that is longer than a screen: its beginning and its end tell most.
  void shorten() {
    if (rows_.size() <= kMostRows) return;
    const size_t end = rows_.size() - kMostRows / 2;
    std::vector<Row> kept;
    Row left_out;
    for (size_t i = 0; i < rows_.size(); ++i) {
      Row& row = rows_[i];
      if (i >= kMostRows / 2 && i < end && !row.is_critical) {
        left_out.left_out += row.left_out > 0 ? row.left_out : row.times;
        left_out.output += row.output;
        continue;
      }
      if (left_out.left_out > 0) kept.push_back(std::exchange(left_out, Row()));
      kept.push_back(std::move(row));
    }
    rows_ = std::move(kept);
  }

  void add_left_out(Row& left_out) {
    if (left_out.left_out > 0) rows_.push_back(std::exchange(left_out, Row()));
  }

  void add(size_t i) {
    const Transition& made = finding_.execution.transitions[i];
    Row row;
    row.step = i;
    row.column = column_of(made.choice.thread);
    const char* const known = words_of(made.op.kind).in_table;
    row.what = known != nullptr ? known : describer_.transition(made);
    row.place = describer_.short_location(made.place);
    row.source = describer_.source_text(made.place);
    row.output = made.output;
    row.preempts = explanation_.steps[i].preempts;
    row.is_critical = finding_.critical == i;
    row.is_last = i + 1 == explanation_.steps.size();
    if (repeats(row)) {
      ++rows_.back().times;
      return;
    }
    widths_[row.column] = std::max(widths_[row.column], columns_of(row.what));
    rows_.push_back(std::move(row));
  }

  // A step like the one before it, by the same thread, that is no more than that.
  bool repeats(const Row& row) const {
    if (rows_.empty() || style_.is_full) return false;
    const Row& last = rows_.back();
    return last.left_out == 0 && last.column == row.column && last.what == row.what &&
           last.place == row.place && last.output.empty() && row.output.empty() && !row.preempts &&
           !row.is_critical && !row.is_last && !last.is_critical;
  }

  // How many times is said at the end, when it is known.
  void note_repeats() {
    for (Row& row : rows_) {
      if (row.times == 1) continue;
      row.what += fmt::format(", {} times", row.times);
      widths_[row.column] = std::max(widths_[row.column], columns_of(row.what));
    }
  }

  // In the order of their names, so that a thread has its place whoever begins.
  size_t column_of(ThreadId thread) {
    if (columns_.empty()) {
      std::vector<ThreadId> threads;
      for (size_t i = 0; i < explanation_.steps.size(); ++i) {
        if (style_.is_full || explanation_.steps[i].matters) {
          threads.push_back(finding_.execution.transitions[i].choice.thread);
        }
      }
      std::sort(threads.begin(), threads.end());
      threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
      for (const ThreadId id : threads) {
        columns_.emplace(id, titles_.size());
        titles_.push_back(describer_.thread_title(id, finding_.execution));
        widths_.push_back(columns_of(titles_.back()));
      }
    }
    return columns_.at(thread);
  }

  size_t widest(std::string Row::*member) const {
    size_t width = 0;
    for (const Row& row : rows_) width = std::max(width, columns_of(row.*member));
    return width;
  }
  size_t widest_thread() const {
    size_t width = 0;
    for (const std::string& title : titles_) width = std::max(width, columns_of(title));
    return width;
  }

  std::string heading() const {
    std::string line(kNumberColumns, ' ');
    for (size_t i = 0; i < titles_.size(); ++i) {
      line += coloured(padded(titles_[i], widths_[i] + kGap), Colour::Bold, style_);
    }
    return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }

  std::string lines(size_t columns, size_t place, bool in_columns) const {
    std::string text;
    for (const Row& row : rows_)
      text += line(row, columns, place, in_columns) + output_lines(row.output);
    return text;
  }

  std::string line(const Row& row, size_t columns, size_t place, bool in_columns) const {
    if (row.left_out > 0) {
      const std::string said =
          fmt::format("... {} step{}", row.left_out, row.left_out == 1 ? "" : "s");
      return std::string(kNumberColumns, ' ') + coloured(said, Colour::Dim, style_) + '\n';
    }
    const std::string marks = std::string(row.preempts ? "*" : "") + (row.is_critical ? "!" : "");
    std::string text = fmt::format("{:<2}{:>4}  ", marks, row.step + 1);
    const Colour colour = row.is_last       ? Colour::Red
                          : row.is_critical ? Colour::Yellow
                          : row.preempts    ? Colour::Cyan
                                            : Colour::Plain;
    size_t used = kNumberColumns;
    if (in_columns) {
      for (size_t i = 0; i < row.column; ++i) used += widths_[i] + kGap;
      text = padded(text, used);
      text += coloured(row.what, colour, style_);
      used += columns_of(row.what);
    } else {
      const std::string thread = padded(titles_[row.column], widest_thread() + kGap);
      const size_t room = columns - kNumberColumns - columns_of(thread) - kGap;
      const std::string what = clipped(row.what, room, style_);
      text += thread + coloured(what, colour, style_);
      used += columns_of(thread) + columns_of(what);
    }
    if (!row.place.empty() && place == 0) {
      text +=
          '\n' + std::string(kNumberColumns + kGap, ' ') + coloured(row.place, Colour::Dim, style_);
    } else if (!row.place.empty()) {
      text += std::string(columns > used ? columns - used : kGap, ' ') +
              coloured(padded(row.place, place), Colour::Dim, style_);
      const size_t end = std::max(columns, used + kGap) + place + kGap;
      const size_t room = style_.width > end ? style_.width - end : 0;
      if (!row.source.empty() && room >= kFewestSourceColumns) {
        text += "  " + clipped(row.source, std::min(room, kMostSourceColumns), style_);
      }
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  }

  const Finding& finding_;
  const Explanation& explanation_;
  const Describer& describer_;
  const TextStyle& style_;
  std::map<ThreadId, size_t> columns_;
  std::vector<std::string> titles_;
  std::vector<size_t> widths_;
  std::vector<Row> rows_;
};

}  // namespace

std::string output_lines(const std::string& output) {
  std::string text;
  for (size_t begin = 0; begin < output.size();) {
    const size_t end = std::min(output.find('\n', begin), output.size());
    text += std::string(kNumberColumns, ' ') + "| " + output.substr(begin, end - begin) + '\n';
    begin = end + 1;
  }
  return text;
}

std::string schedule_table(const Finding& finding, const Explanation& explanation,
                           const Describer& describer, const TextStyle& style) {
  return Table(finding, explanation, describer, style).text();
}

}  // namespace mazurka
