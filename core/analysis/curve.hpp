// SPDX-License-Identifier: Apache-2.0
// The curves that charts and statistics use.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace seedbed {

// The y value of a gap.
inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

// y over x; both lists have the same length, and x never decreases. A y that is not finite is a gap: nothing
// is drawn there; neighbouring points are not affected.
struct Curve {
    std::vector<double> x, y;

    std::size_t size() const { return x.size(); }
    bool operator==(const Curve&) const = default;
};

}  // namespace seedbed
