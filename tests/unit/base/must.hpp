// SPDX-License-Identifier: Apache-2.0
// Returns the value of a Result in a test. An error fails the test with the reason, and ends the program if a
// value is needed.
#pragma once

#include <utility>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace seedbed::testing {

template <class T>
T must(Result<T> result) {
    if (!result) ADD_FAILURE() << result.error().text();
    return std::move(result).value();
}
inline void must(const Result<>& result) { EXPECT_TRUE(result) << result.error().text(); }

}  // namespace seedbed::testing
