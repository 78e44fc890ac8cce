// SPDX-License-Identifier: Apache-2.0
// Counts of rows and columns, which are ints, as sizes of containers.
#pragma once

#include <cstddef>

namespace seedbed {

inline std::size_t size(int count) { return static_cast<std::size_t>(count); }

}  // namespace seedbed
