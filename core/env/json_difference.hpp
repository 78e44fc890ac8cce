// SPDX-License-Identifier: Apache-2.0
// Comparison of recorded values with ours, for golden traces.
#pragma once

#include <optional>
#include <string>

#include "core/base/json.hpp"

namespace seedbed {

// |got - expected| <= relative * max(|expected|, 0.001); a whole `expected` of JSON's integer type must be
// met exactly.
bool sameNumber(const Json& expected, double got, double relative);

struct JsonDifference {
    std::string path;
    std::string expected, got;
};

// The first place where `got` differs from `expected`; booleans equal 0 and 1. Members of objects that
// `expected` does not have are allowed.
std::optional<JsonDifference> firstDifference(const Json& expected, const Json& got, double relative,
                                              const std::string& path);

// Whether all real numbers in `value` are representable as float32 and at least one of them is no whole
// number.
bool isFloat32(const Json& value);

}  // namespace seedbed
