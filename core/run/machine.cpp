// SPDX-License-Identifier: Apache-2.0
// Facts about this process for the record of a run.
#include "core/run/machine.hpp"

#include <array>

#include <unistd.h>

#include "core/base/simd.hpp"
#include "core/base/version.hpp"

namespace seedbed {

std::string buildText() { return std::string(kVersion) + " (" + __VERSION__ + ")"; }

ProcessInfo processInfo(int threads) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return ProcessInfo{.pid = getpid(),
                       .host = host.data(),
                       .build = buildText(),
                       .threads = threads,
                       .other = {{"instruction_set", nameOf(activeIsa())}}};
}

}  // namespace seedbed
