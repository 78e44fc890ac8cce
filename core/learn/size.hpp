// SPDX-License-Identifier: Apache-2.0
// Converts numbers of rows and columns (int) to container sizes.
#pragma once

#include <cstddef>

namespace seedbed {

inline std::size_t size(int count) { return static_cast<std::size_t>(count); }

}  // namespace seedbed
