// SPDX-License-Identifier: Apache-2.0
// Command descriptions for --help, the manual page and the reference pages, generated from the command table.
#pragma once

#include <string>
#include <vector>

#include "app/command.hpp"

namespace seedbed::app {

// An option or positional of a command.
struct OptionHelp {
    std::string name;  // "--seed N", "--star", "RUN"
    std::string text;  // description, range and default
    bool positional = false;
};

struct CommandHelp {
    std::string usage;                // "seedbed eval RUN|CHECKPOINT [OPTIONS]"
    std::vector<OptionHelp> options;  // positionals first; without common and hidden options
};

// Commands in alphabetical order, excluding hidden commands.
std::vector<const Command*> listedCommands();
CommandHelp describeCommand(const Command& command);
// --data, --json, --quiet and --help.
std::vector<OptionHelp> describeCommonOptions();
// False for options that are kept only for compatibility.
bool isListed(const CLI::Option& option);
// The text of --help, with wrapped descriptions.
std::string helpText(CLI::App& cli);

struct ExitCode {
    int code;
    const char* meaning;   // a few words
    const char* examples;  // cases in which the program exits with this code
};

// All exit codes, ascending.
const std::vector<ExitCode>& exitCodes();
// "0 ok, 1 failure, ..."
std::string exitCodeLine();

}  // namespace seedbed::app
