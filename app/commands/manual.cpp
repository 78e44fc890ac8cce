// SPDX-License-Identifier: Apache-2.0
// seedbed man: the manual page, from the command table.
#include <cstdio>

#include "app/command_help.hpp"
#include "core/base/version.hpp"

namespace seedbed::app {
namespace {

// Escapes backslashes, hyphens and leading dots, which roff would interpret.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + c;
        else out += c;
    }
    return out;
}

void printOptions(const std::vector<OptionHelp>& options) {
    for (const OptionHelp& option : options)
        std::printf(".RS\n.TP\n.B %s\n%s\n.RE\n", roff(option.name).c_str(), roff(option.text).c_str());
}

Result<int> printManual() {
    std::printf(
        ".TH SEEDBED 1 \"\" \"Seedbed %s\" \"User Commands\"\n"
        ".SH NAME\nseedbed \\- train reinforcement\\-learning agents on this computer\n"
        ".SH SYNOPSIS\n.B seedbed\n.I COMMAND\n[\\fIARGUMENTS\\fR] [\\fB\\-\\-data\\fR \\fIDIR\\fR] "
        "[\\fB\\-\\-json\\fR] [\\fB\\-\\-quiet\\fR]\n"
        ".SH COMMANDS\n",
        kVersion);
    for (const Command* command : listedCommands()) {
        const CommandHelp help = describeCommand(*command);
        std::printf(".TP\n.B %s\n%s\n", roff(help.usage).c_str(), roff(command->summary + ".").c_str());
        printOptions(help.options);
    }
    std::printf(".SH COMMON OPTIONS\n");
    printOptions(describeCommonOptions());
    std::printf(
        ".SH EXIT STATUS\n%s.\n"
        ".SH ENVIRONMENT\n.TP\n.B SEEDBED_DATA\nData folder (default: in the XDG data folder).\n"
        ".TP\n.B SEEDBED_ISA\nHighest instruction set that kernels use: base, avx2 or avx512.\n"
        ".SH EXAMPLES\n.nf\nseedbed train cartpole\nseedbed list\nseedbed eval 1\n.fi\n",
        roff(exitCodeLine()).c_str());
    return kOk;
}

SEEDBED_REGISTER_COMMAND(manual, {.id = "man",
                                  .summary = "Print the manual page for man(1)",
                                  .examples = {"seedbed man | man -l -"},
                                  .define = [](CLI::App&) -> Action {
                                      return [](const Context&) { return printManual(); };
                                  }});

}  // namespace
}  // namespace seedbed::app
