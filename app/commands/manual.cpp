// SPDX-License-Identifier: Apache-2.0
// seedbed man: the manual page, from the command table.
#include <cstdio>

#include "app/command.hpp"
#include "core/base/version.hpp"

namespace seedbed::app {
namespace {

// Text for roff: backslashes and leading dots would be commands.
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

Result<int> manual() {
    std::printf(
        ".TH SEEDBED 1 \"\" \"Seedbed %s\" \"User Commands\"\n.SH NAME\nseedbed \\- train "
        "reinforcement\\-learning agents on this "
        "computer\n",
        kVersion);
    std::printf(
        ".SH SYNOPSIS\n.B seedbed\n.I COMMAND\n[\\fIARGUMENTS\\fR] [\\fB\\-\\-data\\fR \\fIDIR\\fR] "
        "[\\fB\\-\\-json\\fR] "
        "[\\fB\\-\\-quiet\\fR]\n");
    std::printf(".SH COMMANDS\n");
    for (const std::string& id : commandRegistry().ids()) {
        const Command& command = *commandRegistry().find(id);
        if (command.hidden) continue;
        CLI::App cli;
        CommonOptions common;
        defineCommand(command, cli, common);
        std::string usage = "seedbed " + id, described;
        for (const CLI::Option* option : cli.get_options([](const CLI::Option*) { return true; })) {
            const std::string name = option->get_name(true);
            if (option->get_positional()) usage += " " + (option->get_required() ? name : "[" + name + "]");
            const std::vector<std::string> long_names = option->get_lnames();
            if (!option->get_positional() && !long_names.empty() &&
                (long_names[0] == "data" || long_names[0] == "json" || long_names[0] == "quiet" ||
                 long_names[0] == "help"))
                continue;
            described += ".RS\n.TP\n.B " +
                         roff(option->get_positional() ? name : option->get_name(false, true)) + "\n" +
                         roff(option->get_description()) + "\n.RE\n";
        }
        std::printf(".TP\n.B %s%s\n%s\n%s", roff(usage).c_str(),
                    command.takes_settings ? " [\\-\\-SECTION.NAME VALUE]" : "",
                    roff(command.summary + ".").c_str(), described.c_str());
    }
    std::printf(
        ".SH EXIT STATUS\n0 ok, 1 failure, 2 usage, 3 bad configuration, 4 device unavailable, 5 out of "
        "memory, 6 goal not reached, 7 "
        "parity "
        "failed, 130 interrupted.\n"
        ".SH ENVIRONMENT\n.TP\n.B SEEDBED_DATA\nData folder, instead of the one in the XDG data "
        "folder.\n.TP\n.B SEEDBED_ISA\nHighest "
        "instruction set that kernels use: base, avx2 or avx512.\n"
        ".SH EXAMPLES\n.nf\nseedbed train cartpole\nseedbed list\nseedbed eval 1\n.fi\n");
    return kOk;
}

SEEDBED_REGISTER_COMMAND(manual, {.id = "man",
                                  .summary = "The manual page, for man(1)",
                                  .examples = {"seedbed man | man -l -"},
                                  .define = [](CLI::App&) -> Action {
                                      return [](const Context&) { return manual(); };
                                  }});

}  // namespace
}  // namespace seedbed::app
