// SPDX-License-Identifier: Apache-2.0
// Analyses a plan before any tensor exists: where each value lives, which gradients are
// needed, and which operation writes them first.
#pragma once

#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed::torch_module {

constexpr int kOwnPlace = -1;   // its own buffer
constexpr int kHeadPanel = -2;  // columns of the head panel

struct ValueInfo {
    // Where the value lives: kOwnPlace, kHeadPanel, or the index of a value of which it is a range of columns
    // (an input of a concat). Such a value's gradient is the same range of the parent's gradient, so neither
    // direction copies.
    int parent = kOwnPlace;
    int column = 0;
    bool image = false;  // [B, C, H, W] with H * W > 1; its tensors are replaced by each call, all others are
                         // fixed views
    bool from_weights = false;  // depends on learned weights: has a gradient in every backward pass
    bool from_leaf = false;  // depends on a vector leaf: has a gradient if the caller wants input gradients
    bool live = false;       // some head depends on it; the others get no gradient
    bool head_copied =
        false;  // a head that does not live in the panel: copied there, its gradient copied back
};

struct Analysis {
    std::vector<ValueInfo> values;
    // [op][input]: whether the gradient of this input is added to what later operations left there (else it
    // is the first and overwrites).
    std::vector<std::vector<bool>> accumulate;
};

// error: config (an operation or shape that this engine does not know, named).
Result<Analysis> analyse(const NetPlan& plan);

}  // namespace seedbed::torch_module
