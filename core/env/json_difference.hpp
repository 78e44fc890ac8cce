// SPDX-License-Identifier: Apache-2.0
// Compares recorded values with computed ones, for golden traces.
#pragma once

#include <optional>
#include <string>

#include "core/base/json.hpp"

namespace seedbed {

// Whether |got - expected| <= relative * max(|expected|, 0.001). An `expected` of JSON's integer type must be
// matched exactly.
bool sameNumber(const Json& expected, double got, double relative);

struct JsonDifference {
    std::string path;
    std::string expected, got;
};

// The first difference; true is equal to 1, and false to 0. Members of `got` that `expected` lacks are
// ignored.
std::optional<JsonDifference> firstDifference(const Json& expected, const Json& got, double relative,
                                              const std::string& path);

// Whether all real numbers in `value` are representable as float32 and at least one is not an integer.
bool isFloat32(const Json& value);

}  // namespace seedbed
