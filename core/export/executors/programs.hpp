// SPDX-License-Identifier: Apache-2.0
// Finding a Python and a C compiler on this machine.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// A command as typed, split at blanks. Programs run in folders of their own: a path is made absolute, a bare
// name stays.
std::vector<std::string> splitCommand(const std::string& command);
std::string absoluteProgram(const std::string& program);

// Interpreters to try, in order: `chosen` alone when given, else SEEDBED_PYTHON alone when set, else python3
// and python.
std::vector<std::string> pythonCandidates(const std::string& chosen);
// `chosen` when given, else CC when set, else the first of cc, gcc, clang that runs. error: none does, with
// what to install.
Result<std::string> findCompiler(const std::string& chosen);

}  // namespace seedbed
