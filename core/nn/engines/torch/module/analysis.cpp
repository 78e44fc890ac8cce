// SPDX-License-Identifier: Apache-2.0
// Decides where values are stored and which gradients are needed.
#include "core/nn/engines/torch/module/analysis.hpp"

#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool writesColumns(const PlanOp& op) {
    const auto writes = operationOf(op).writes_columns;
    return writes != nullptr && writes(op);
}

struct Uses {
    int as_input = 0;  // number of operations with this input
    int as_head = 0;
    int producer = -1;
};

std::vector<Uses> countUses(const NetPlan& plan) {
    std::vector<Uses> uses(plan.values.size());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        for (const int input : plan.ops[i].inputs) ++uses[at(input)].as_input;
        uses[at(plan.ops[i].output)].producer = static_cast<int>(i);
    }
    for (const PlanHead& head : plan.heads) ++uses[at(head.value)].as_head;
    return uses;
}

void placeValues(const NetPlan& plan, const std::vector<Uses>& uses, std::vector<ValueInfo>& values) {
    const auto movable = [&](int v) {
        const Uses& use = uses[at(v)];
        return use.as_input + use.as_head == 1 && use.producer >= 0 &&
               writesColumns(plan.ops[at(use.producer)]);
    };
    for (const PlanHead& head : plan.heads) {
        ValueInfo& info = values[at(head.value)];
        if (movable(head.value)) {
            info.parent = kHeadPanel;
            info.column = head.begin;
        } else {
            info.head_copied = true;
        }
    }
    for (const PlanOp& op : plan.ops) {
        if (!operationOf(op).joins) continue;
        int column = 0;
        for (const int input : op.inputs) {
            if (movable(input)) {
                values[at(input)].parent = op.output;
                values[at(input)].column = column;
            }
            column += static_cast<int>(plan.values[at(input)].size());
        }
    }
}

// Image tensors keep four dimensions, even if only one pixel is left.
void findImages(const NetPlan& plan, std::vector<ValueInfo>& values) {
    for (const PlanOp& op : plan.ops) {
        bool image = false;
        switch (operationOf(op).output) {
            case Output::rows: break;
            case Output::image: image = true; break;
            case Output::like_input: image = values[at(op.inputs[0])].image; break;
            case Output::like_leaf:
                image = plan.spec.spaces.obs[at(op.leaf)].kind == ObsLeaf::Kind::image;
                break;
        }
        values[at(op.output)].image = image;
    }
}

void followDependencies(const NetPlan& plan, std::vector<ValueInfo>& values) {
    for (const PlanOp& op : plan.ops) {
        ValueInfo& out = values[at(op.output)];
        for (const int param : op.params)
            out.from_weights |= plan.params[at(param)].role == ParamEntry::Role::weight;
        for (const int input : op.inputs) {
            out.from_weights |= values[at(input)].from_weights;
            out.from_leaf |= values[at(input)].from_leaf;
        }
        if (op.leaf >= 0) out.from_leaf = plan.spec.spaces.obs[at(op.leaf)].kind == ObsLeaf::Kind::vector;
    }
}

void findLive(const NetPlan& plan, std::vector<ValueInfo>& values) {
    for (const PlanHead& head : plan.heads) values[at(head.value)].live = true;
    for (std::size_t i = plan.ops.size(); i-- > 0;)
        if (values[at(plan.ops[i].output)].live)
            for (const int input : plan.ops[i].inputs) values[at(input)].live = true;
}

// Visits operations in reverse order of execution, which is the order in which gradients are written.
std::vector<std::vector<bool>> firstWriters(const NetPlan& plan, const std::vector<ValueInfo>& values) {
    std::vector<bool> written(plan.values.size(), false);
    for (const PlanHead& head : plan.heads) written[at(head.value)] = true;
    std::vector<std::vector<bool>> accumulate(plan.ops.size());
    for (std::size_t i = plan.ops.size(); i-- > 0;) {
        for (const int input : plan.ops[i].inputs) {
            accumulate[i].push_back(written[at(input)]);
            if (!values[at(plan.ops[i].output)].live) continue;
            if (values[at(input)].from_weights || values[at(input)].from_leaf) written[at(input)] = true;
        }
    }
    return accumulate;
}

std::string misfit(const NetPlan& plan, const std::vector<ValueInfo>& values) {
    for (const PlanHead& head : plan.heads)
        if (values[at(head.value)].image) return "an image as head '" + head.name + "'";
    for (const PlanOp& op : plan.ops) {
        const Inputs wants = operationOf(op).inputs;
        for (const int input : op.inputs) {
            const bool image = values[at(input)].image;
            if (wants == Inputs::rows && image) return "an image where a vector is expected";
            if (wants == Inputs::images && !image) return "a vector where an image is expected";
            if (wants == Inputs::alike && image != values[at(op.output)].image)
                return "the sum of an image and a vector";
        }
    }
    return "";
}

}  // namespace

Result<Analysis> analyse(const NetPlan& plan) {
    for (const PlanOp& op : plan.ops)
        if (operationRegistry().find(op.kind) == nullptr)
            return fail(ErrorCode::config, "engine 'torch' does not support operation '" + op.kind + "'");
    Analysis analysis;
    analysis.values.resize(plan.values.size());
    findImages(plan, analysis.values);
    if (const std::string part = misfit(plan, analysis.values); !part.empty())
        return fail(ErrorCode::config,
                    "the torch engine does not support " + part + "; choose --engine reference");
    placeValues(plan, countUses(plan), analysis.values);
    followDependencies(plan, analysis.values);
    findLive(plan, analysis.values);
    analysis.accumulate = firstWriters(plan, analysis.values);
    return analysis;
}

}  // namespace seedbed::torch_module
