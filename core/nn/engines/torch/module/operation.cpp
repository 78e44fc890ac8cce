// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

Registry<TorchOperation>& operationRegistry() {
    static Registry<TorchOperation> registry;
    return registry;
}

bool registerOperation(TorchOperation operation) {
    operationRegistry().add(std::move(operation));
    return true;
}

const TorchOperation& operationOf(const PlanOp& op) {
    const TorchOperation* operation = operationRegistry().find(op.kind);
    SEEDBED_CHECK(operation != nullptr, op.kind);
    return *operation;
}

}  // namespace seedbed::torch_module
