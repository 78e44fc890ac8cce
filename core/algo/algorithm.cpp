// SPDX-License-Identifier: Apache-2.0
// The registry of algorithms, filled by the last line of each algorithm's file.
#include "core/algo/algorithm.hpp"

namespace seedbed {

Registry<AlgorithmEntry>& algorithmRegistry() {
    static Registry<AlgorithmEntry> registry;
    return registry;
}

}  // namespace seedbed
