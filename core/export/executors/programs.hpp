// SPDX-License-Identifier: Apache-2.0
// Finds Python and a C compiler on this machine.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// splitCommand(): splits a command at spaces and makes its program absolute. absoluteProgram(): makes a
// relative path absolute, because programs run in other folders; leaves a bare name (no folder) unchanged.
std::vector<std::string> splitCommand(const std::string& command);
std::string absoluteProgram(const std::string& program);

// Whether `command` --version exits with code 0.
bool isRunnable(const std::string& command);

// Interpreters to try, in order: only `chosen` if given, otherwise only SEEDBED_PYTHON if set, otherwise
// python3 and python.
std::vector<std::string> pythonCandidates(const std::string& chosen);
// `chosen` if given, otherwise CC if set, otherwise the first of cc, gcc, clang that runs. error: none of
// them runs; the message names the package to install.
Result<std::string> findCompiler(const std::string& chosen);

}  // namespace seedbed
