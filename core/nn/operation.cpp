// SPDX-License-Identifier: Apache-2.0
#include "core/nn/operation.hpp"

namespace seedbed {

Registry<Operation>& operationRegistry() {
    static Registry<Operation> registry;
    return registry;
}

bool registerOperation(Operation operation) {
    operationRegistry().add(std::move(operation));
    return true;
}

const Operation& operationOf(const PlanOp& op) {
    const Operation* operation = operationRegistry().find(op.kind);
    SEEDBED_CHECK(operation != nullptr, op.kind);
    return *operation;
}

OperationCost costOf(const NetPlan& plan, const PlanOp& op) {
    const Operation& operation = operationOf(op);
    return operation.cost == nullptr ? OperationCost{} : operation.cost(plan, op);
}

int stateWords(const NetPlan& plan, const PlanOp& op) {
    return operationOf(op).state_per_output *
           static_cast<int>(plan.values[static_cast<std::size_t>(op.output)].size());
}

std::vector<std::string> coreOperations() {
    std::vector<std::string> cores;
    for (const std::string& id : operationRegistry().ids())
        if (operationRegistry().find(id)->core) cores.push_back(id);
    return cores;
}

}  // namespace seedbed
