// What all commands have in common: how flags are read and complained about, and files written.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "report/formats/report.h"

namespace mazurka {

// Writes "mazurka: sentence" to standard error.
void complain(const std::string& sentence);

// One App for each command: CLI11's own subcommands would take a program of that name for
// themselves.
std::unique_ptr<CLI::App> make_app(const std::string& what, const std::string& usage);

// False after it has said what is wrong, or has helped; then `exit_code` is set. `arguments` begin
// with the name of the command.
bool parse(CLI::App& app, const std::vector<std::string>& arguments, ExitCode& exit_code);

// The names of its options: "--depth".
std::vector<std::string> option_names(const CLI::App& app);
// "there is no option --dpeth; did you mean '--depth'?"
std::string no_such_option(const CLI::App& app, const std::string& option,
                           const std::string& command);

// CLI11 would read "010" as 8 and "-1" as a huge number, so it gets what we have read.
CLI::Validator whole_number(uint64_t lowest, uint64_t highest);
CLI::Validator seconds();

// To the file, or to standard output if the name is empty. Says what is wrong.
ExitCode write_output(const std::string& text, const std::string& file);
// Whether all that was printed has arrived. Says once what is wrong.
bool output_is_written();
// Before the work, so that hours of it do not end in a file that cannot be written. Says what is
// wrong. No name is fine.
bool output_is_writable(const std::string& file);

}  // namespace mazurka
