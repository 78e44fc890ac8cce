// SPDX-License-Identifier: Apache-2.0
// What this process and machine are, for records: build, instruction set, cores.
#pragma once

#include <string>

#include "core/store/records.hpp"

namespace seedbed {

// "0.1.0 (compiler)".
std::string buildText();
// What the linker calls this program, in hexadecimal digits: another one for every other content. Empty where
// it gave none.
std::string buildId();
ProcessInfo processInfo(int threads);

}  // namespace seedbed
