// SPDX-License-Identifier: Apache-2.0
// Analyses a plan before any tensor exists: the memory of each value, the gradients that are needed, and the
// operation that writes each gradient first.
#pragma once

#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed::torch_module {

constexpr int kOwnPlace = -1;   // the value has its own buffer
constexpr int kHeadPanel = -2;  // the value is stored in columns of the head panel

struct ValueInfo {
    // The memory of the value: kOwnPlace, kHeadPanel, or the index of the value that contains it as a range
    // of columns (for an input of a concat). The gradient of such a value is the same range of the parent's
    // gradient, so both passes avoid copies.
    int parent = kOwnPlace;
    int column = 0;
    bool image = false;  // [B, C, H, W] with H * W > 1; each call replaces its tensors, while other values
                         // are fixed views
    bool from_weights = false;  // depends on learned weights, so it has a gradient in every backward pass
    bool from_leaf = false;     // depends on a vector leaf, so it has a gradient if the caller requests input
                                // gradients
    bool live = false;          // at least one head depends on it; other values get no gradient
    bool head_copied = false;   // a head that is not stored in the panel: its value is copied to the panel,
                                // and its gradient from the panel
};

struct Analysis {
    std::vector<ValueInfo> values;
    // [op][input]: whether the gradient of this input is added to gradients already written; if not, it is
    // the first one and overwrites the memory.
    std::vector<std::vector<bool>> accumulate;
};

// error: config (names an operation or shape that this engine does not support).
Result<Analysis> analyse(const NetPlan& plan);

}  // namespace seedbed::torch_module
