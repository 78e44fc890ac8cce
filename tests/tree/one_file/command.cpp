// SPDX-License-Identifier: Apache-2.0
// A new command, following the recipe in CONTRIBUTING.md: only this file is needed.
#include <cstdio>

#include "app/command.hpp"

namespace seedbed::app {
namespace {

Result<int> printOneFile(const Context&) {
    std::puts("one file");
    return kOk;
}

SEEDBED_REGISTER_COMMAND(one_file_command, {.id = "one_file_command",
                                            .summary = "Print a text",
                                            .examples = {"seedbed one_file_command"},
                                            .define = [](CLI::App&) -> Action { return printOneFile; }});

}  // namespace
}  // namespace seedbed::app
