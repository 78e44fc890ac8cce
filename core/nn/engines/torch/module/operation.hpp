// SPDX-License-Identifier: Apache-2.0
// The implementation of one operation: each file of operations/ registers one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed::torch_module {

class BoundOp;
struct Binding;

enum class Inputs : unsigned char { any, rows, images, alike };  // alike: either only rows or only images
enum class Output : unsigned char { rows, image, like_input, like_leaf };

struct TorchOperation {
    std::string id;  // id of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    std::unique_ptr<BoundOp> (*bind)(const Binding& binding) = nullptr;
    Inputs inputs = Inputs::any;
    Output output = Output::rows;
    bool flattens = false;  // reads images as rows of numbers
    bool joins = false;     // its inputs may be stored as consecutive columns of its result
    // Whether its result may be stored as columns of a wider panel, because this operation does not read it
    // again; null: no.
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
