// SPDX-License-Identifier: Apache-2.0
// Smooths curves. Uses all points of a curve, whether visible or not, so the result does not depend on the
// zoom of a chart.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "core/analysis/curve.hpp"
#include "core/base/error.hpp"

namespace seedbed {

enum class Smoothing : std::uint8_t {
    none,
    time_weighted_ema,  // exponential, de-biased, by distance in x: independent of how often a curve was
                        // logged
    tensorboard_ema,    // exponential by point, de-biased, like TensorBoard's slider
    gaussian,           // centred, by distance in x
    mean,               // centred running mean
    median,             // centred running median
};

// `amount` is the weight of the past in [0, 1) for tensorboard_ema. Otherwise it is a width > 0 in units of
// x: the distance at which a point has weight 1/e, the standard deviation, or the whole window.
struct SmoothingSpec {
    Smoothing kind = Smoothing::none;
    double amount = 0;
};

// error: config for an unknown name, with the most similar one.
Result<Smoothing> smoothingFromText(std::string_view text);

// Returns a curve of the same length; gaps remain gaps, and constants remain constant. Returns `curve`
// unchanged if the amount is outside its range. Takes time proportional to the number of points (median:
// times its logarithm). The result is incomplete after a stop request. Thread: any.
Curve smooth(const Curve& curve, const SmoothingSpec& spec, const std::stop_token& stop = {});

}  // namespace seedbed
