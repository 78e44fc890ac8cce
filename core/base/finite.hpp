// SPDX-License-Identifier: Apache-2.0
// Detects NaN and infinity; defines the error code for them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace seedbed {

// NaN or infinity where training needs finite numbers. Training may recover by rolling back to a checkpoint.
// Not one of ErrorCode's enumerators because only training uses it; its exit code is 1.
inline constexpr ErrorCode kNonFinite{100};

// `message` names the origin: network, parameter, column, row.
inline tl::unexpected<Error> failNonFinite(std::string message) {
    return fail(kNonFinite, std::move(message));
}

// Whether all values are finite (neither NaN nor infinite). Thread: any.
bool allFinite(const float* values, std::size_t count);

// Index of the first NaN or infinity; `count` if all values are finite. Thread: any.
std::size_t firstNonFinite(const float* values, std::size_t count);

// "NaN" or "infinity". Requires a value that is not finite.
std::string nonFiniteName(float value);

}  // namespace seedbed
