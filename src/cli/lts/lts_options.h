// What the commands of `mazurka lts` have in common: reading flags, input and output files, limits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "lts/equivalence/bisimulation.h"
#include "lts/model/product.h"
#include "report/formats/report.h"

namespace mazurka {

// An App for one command; `usage` is what stands after "mazurka lts".
std::unique_ptr<CLI::App> make_lts_app(const std::string& what, const std::string& usage);

// --memory=MB; three quarters of the machine's memory unless told.
void add_memory_option(CLI::App& app, size_t& bytes);

// --by=strong|branching|trace.
void add_equivalence_option(CLI::App& app, lts::Equivalence& equivalence);

// Nothing after it has said why; the exit code is Usage then.
std::optional<lts::Network> read_system_or_complain(const std::string& path);

// The system as one LTS. Nothing after it has said why not, with `exit_code` set.
std::optional<lts::ExplicitLts> compose_or_complain(const lts::Network& system, size_t memory,
                                                    ExitCode& exit_code);

}  // namespace mazurka
