// SPDX-License-Identifier: Apache-2.0
// The kind of failure that going back to a checkpoint may heal: not-a-number or infinity where training needs
// numbers.
#pragma once

#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace seedbed {

// A code beside those of ErrorCode, because only training makes and asks for it; its exit code is that of any
// failure, 1.
inline constexpr ErrorCode kNotANumber{100};

// The message names the culprit: network, parameter, column, row.
inline tl::unexpected<Error> failNotANumber(std::string message) {
    return fail(kNotANumber, std::move(message));
}

}  // namespace seedbed
