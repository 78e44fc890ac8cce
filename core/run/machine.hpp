// SPDX-License-Identifier: Apache-2.0
// What this process and machine are, for records: build, instruction set, cores.
#pragma once

#include <string>

#include "core/store/records.hpp"

namespace seedbed {

// "0.1.0 (commit)".
std::string buildText();
ProcessInfo processInfo(int threads);

}  // namespace seedbed
