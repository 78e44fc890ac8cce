// SPDX-License-Identifier: Apache-2.0
// Curves as charts and statistics see them, and the two steps that keep them honest: smoothing on all points,
// and reduction to pixel columns afterwards. Neither depends on what else is shown.
#pragma once

#include <cstdint>
#include <limits>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

// The y of a gap.
inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

// y over x, equally long; x never falls. A y that is not a finite number is a gap: nothing is drawn there and
// no neighbour changes.
struct Curve {
    std::vector<double> x, y;

    std::size_t size() const { return x.size(); }
    bool operator==(const Curve&) const = default;
};

enum class Smoothing : std::uint8_t {
    none,
    time_weighted_ema,  // exponential, de-biased, by distance in x: curves logged at different rates smooth
                        // alike
    tensorboard_ema,    // exponential by point, de-biased, as TensorBoard's slider
    gaussian,           // centred, by distance in x
    mean,               // centred running mean
    median,             // centred running median
};

// What `amount` means: the weight of the past in [0, 1) for tensorboard_ema; for the others a width in units
// of x, > 0: the distance after which a point counts 1/e, the standard deviation, or the whole window.
struct SmoothingSpec {
    Smoothing kind = Smoothing::none;
    double amount = 0;
};

// error: config for a name that is none of the above, with the nearest.
Result<Smoothing> smoothingFromText(std::string_view text);

// As long as `curve`; gaps stay gaps, constants stay constant. An amount outside its range leaves the curve
// as it is. Time grows with the number of points (median: times its logarithm), whatever the amount. Thread:
// any. What is returned after a stop is not complete.
Curve smooth(const Curve& curve, const SmoothingSpec& spec, const std::stop_token& stop = {});

// The points with low <= x <= high.
Curve withinRange(const Curve& curve, double low, double high);

// At most four points per pixel column of [low, high] in order of x (the first, lowest, highest and last of
// each), so that the drawn line covers the same pixels as the whole curve; one neighbour on either side where
// the line leaves the range, and one point with y = NaN per run of gaps. Low < high, columns >= 1.
Curve reduceToColumns(const Curve& curve, double low, double high, int columns);

}  // namespace seedbed
