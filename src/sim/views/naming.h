// How the page names threads, objects, operations and places: what the program and its source know.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "report/words/describer.h"
#include "report/words/source_files.h"
#include "sim/runs.h"
#include "sim/server/json_type.h"
#include "sim/server/subject.h"
#include "sim/standing_state.h"

namespace mazurka {

class Naming {
 public:
  // By what others know already; all of it must outlive this. `bound`: as in Limits.
  Naming(const Describer& describer, Places& places, uint32_t bound)
      : describer_(&describer), places_(&places), bound_(bound) {}
  virtual ~Naming() = default;
  Naming(const Naming&) = delete;
  Naming& operator=(const Naming&) = delete;

  const Describer& describer() const { return *describer_; }
  uint32_t bound() const { return bound_; }

  // [{function, file, line, user}, ...], innermost first, without what is on top of the user's own
  // code.
  Json stack(const CodePlace& place);
  // {file, line, function}, or null.
  Json place(const CodePlace& place);
  // "forks.c:12" for a line of text; empty if it is not known.
  std::string location(const CodePlace& place) const { return describer_->location(place); }

  // The lines of a file that was named by a place before. Nothing for any other.
  std::optional<std::vector<std::string>> lines(const std::string& file);
  bool has_named(const std::string& file) const { return named_.count(file) > 0; }

 protected:
  explicit Naming(uint32_t bound) : bound_(bound) {}

  const Describer* describer_ = nullptr;
  Places* places_ = nullptr;

 private:
  Json place_json(const Place& place);

  uint32_t bound_;
  std::set<std::string> named_;  // files
  SourceFiles files_;
};

// The names of a program that goes on being run.
class LiveNaming final : public Naming {
 public:
  // The subject must outlive it.
  explicit LiveNaming(const Subject& subject)
      : Naming(subject.header.limits.bound),
        subject_(subject),
        names_(subject.program, look_with(subject.look)) {}

  // To be called after executions: the program may have loaded more files. References to the
  // describer hold until then.
  void refresh();
  // What the objects of a run are called. May run the program.
  void learn(const Run& run);

 private:
  const Subject& subject_;
  size_t file_count_ = 0;
  std::unique_ptr<Places> own_places_;
  ObjectNames names_;
  uint32_t learned_ = 0;  // the run that was last
  std::unique_ptr<Describer> own_describer_;
};

}  // namespace mazurka
