// SPDX-License-Identifier: Apache-2.0
// The interface of operations, the building blocks of network plans. Each file in core/nn/operations
// registers the descriptor of one operation; every engine and every export target that supports the operation
// registers its implementation under the same id, in a separate file.
#pragma once

#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/nn/plan_builder.hpp"

namespace seedbed {

// The cost of one row.
struct OperationCost {
    double input_macs = 0;        // multiply-accumulates with the inputs
    double state_macs = 0;        // multiply-accumulates with the recurrent state
    std::size_t tape_floats = 0;  // floats kept for a backward pass, without the output
};

struct Operation {
    std::string id;  // PlanOp::kind; also written to exported files
    std::vector<std::string> aliases{};
    std::string help;  // one sentence: y from x, and the order of the parameters
    // Adds the operation, its parameters with their initial values, and its recurrent state. The shape of the
    // output follows from `spec`. Returns the output value. Reports unsupported inputs through
    // PlanBuilder::refuse.
    int (*build)(PlanBuilder& builder, const OpSpec& spec) = nullptr;
    OperationCost (*cost)(const NetPlan& plan, const PlanOp& op) = nullptr;  // null: no cost
    int state_per_output = 0;       // words of recurrent state per element of the output; 0: no memory
    bool core = false;              // whether it is a value of the setting `core`, built from one input, a
                                    // name and a width
    bool kinks = false;             // whether it has points, such as equal inputs, at which it is not
                                    // differentiable
    std::vector<OpField> fields{};  // fields of PlanOp that it uses, apart from inputs, output and params
};

Registry<Operation>& operationRegistry();
// Adds an entry to the registry. Returns true, so that the call can initialise a static object.
bool registerOperation(Operation operation);

// The descriptor of an operation of a plan that buildPlan returned.
const Operation& operationOf(const PlanOp& op);
OperationCost costOf(const NetPlan& plan, const PlanOp& op);
// Words of recurrent state, 0 for operations without memory: [state_offset, state_offset + result)
// of the state row.
int stateWords(const NetPlan& plan, const PlanOp& op);
// Ids of the operations allowed for the setting `core`, sorted.
std::vector<std::string> coreOperations();

// Fails unless `registry` (of an engine) has all operations of the plan. error: config; names the engine, the
// operation and the operation's first parameter.
template <class Entry>
Result<> checkOperations(const NetPlan& plan, const Registry<Entry>& registry, const std::string& engine) {
    for (const PlanOp& op : plan.ops)
        if (registry.find(op.kind) == nullptr)
            return unsupportedOperation(plan, op, "engine '" + engine + "'");
    return {};
}

}  // namespace seedbed
