// SPDX-License-Identifier: Apache-2.0
// How the engine runs one operation: each file of operations/ registers one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed::torch_module {

class BoundOp;
struct Binding;

enum class Inputs : unsigned char { any, rows, images, alike };  // alike: all rows or all images
enum class Output : unsigned char { rows, image, like_input, like_leaf };

struct TorchOperation {
    std::string id;  // of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    std::unique_ptr<BoundOp> (*bind)(const Binding& binding) = nullptr;
    Inputs inputs = Inputs::any;
    Output output = Output::rows;
    bool flattens = false;  // reads images as rows of numbers
    bool joins = false;     // its inputs may be columns of its result, one after the other
    // Whether its result may be columns of a wider panel, not read again by this operation; null: no.
    bool (*writes_columns)(const PlanOp& op) = nullptr;
};

Registry<TorchOperation>& operationRegistry();
bool registerOperation(TorchOperation operation);
// An operation of a plan that analyse() accepted.
const TorchOperation& operationOf(const PlanOp& op);

template <class Op>
std::unique_ptr<BoundOp> makeBound(const Binding& binding) {
    return std::make_unique<Op>(binding);
}

inline bool alwaysColumns(const PlanOp&) { return true; }

}  // namespace seedbed::torch_module
