// SPDX-License-Identifier: Apache-2.0
// Common parts of convolutions and pooling.
#pragma once

#include "core/nn/plan_builder.hpp"

namespace seedbed {

// Number of windows along an axis of `size` pixels; 0 if none fits.
inline int windowsAlong(int size, const OpSpec& spec) {
    const int room = size + 2 * spec.pad - spec.kernel;
    return room < 0 ? 0 : room / spec.stride + 1;
}

}  // namespace seedbed
