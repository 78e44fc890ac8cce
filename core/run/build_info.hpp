// SPDX-License-Identifier: Apache-2.0
// Facts about this process and machine for records: build, instruction set, host.
#pragma once

#include <string>

#include "core/store/records.hpp"

namespace seedbed {

// "0.1.0 (compiler)".
std::string buildText();
// The linker's build id of this program in hexadecimal digits; different programs have different ids. Empty
// if the program has none.
std::string buildId();
ProcessInfo processInfo(int threads);

}  // namespace seedbed
