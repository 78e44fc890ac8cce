// SPDX-License-Identifier: Apache-2.0
// Facts of a plan's values, and the way gradients go from consumers to producers.
#include "core/nn/engines/native/work.hpp"

#include <algorithm>

namespace seedbed::native {

namespace {

bool nativeConv(const PlanOp& op) { return op.kind == OpKind::conv2d && op.pad == 0; }

// Its output carries an activation whose derivative a consumer may apply.
bool activates(const PlanOp& op) {
    return op.kind == OpKind::linear || op.kind == OpKind::layer_norm || nativeConv(op);
}

bool wideLinear(const PlanOp& op, const NetPlan& plan) {
    return op.kind == OpKind::linear && plan.values[toIndex(op.output)].size() > kNarrow;
}

// Understands inputs that lie elsewhere than in the pass.
bool takesViews(const PlanOp& op) {
    return op.kind == OpKind::linear || op.kind == OpKind::lstm || op.kind == OpKind::gru || nativeConv(op);
}

}  // namespace

Work::Work(const NetPlan& plan) : kernels(&activeKernels()) {
    const std::size_t count = plan.values.size();
    pass.plan = &plan;
    pass.values.resize(count), pass.gradients.resize(count), pass.wants_gradient.resize(count);
    pass.transposed.resize(plan.params.size()), pass.saved.resize(plan.ops.size()),
        pass.picked.resize(plan.ops.size());
    facts.resize(count), ones.resize(count), values.resize(count), gradients.resize(count);
    written.resize(count), derived.resize(count), missing.resize(count);
    packed.resize(plan.params.size());

    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        facts[toIndex(op.output)].producer = static_cast<int>(i);
        if (activates(op)) facts[toIndex(op.output)].activation = op.activation;
        for (const int x : op.inputs) {
            ++facts[toIndex(x)].consumers;
            facts[toIndex(x)].only_native = facts[toIndex(x)].only_native && takesViews(op);
            facts[toIndex(x)].only_wide = facts[toIndex(x)].only_wide && wideLinear(op, plan);
            facts[toIndex(x)].only_convolutions = facts[toIndex(x)].only_convolutions && nativeConv(op);
        }
    }
    for (std::size_t h = 0; h < plan.heads.size(); ++h) {
        ValueFacts& value = facts[toIndex(plan.heads[h].value)];
        const PlanOp& producer = plan.ops[toIndex(value.producer)];
        const bool alone = value.consumers == 0 && producer.kind == OpKind::linear &&
                           producer.activation == Activation::none;
        value.head = alone ? static_cast<int>(h) : -1;
        value.borrowed = alone;
        value.only_native = value.only_convolutions = value.only_wide = false;
        ++value.consumers;
    }
    for (ValueFacts& value : facts) {
        const PlanOp& producer = plan.ops[toIndex(value.producer)];
        if (producer.kind == OpKind::input && value.only_native) {
            const ObsLeaf& leaf = plan.spec.spaces.obs[toIndex(producer.leaf)];
            const ObsLeaf::Kind kind = leaf.kind;
            // Planes of bits, as MinAtar's: few of them are set.
            value.sparse = kind == ObsLeaf::Kind::image && leaf.high == 1 && value.only_wide;
            value.borrowed = kind == ObsLeaf::Kind::vector ||
                             (kind == ObsLeaf::Kind::image && value.only_convolutions) || value.sparse;
        }
        value.last = nativeConv(producer) && value.consumers > 0 && value.only_convolutions;
    }
    geometries.resize(plan.ops.size());
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        if (!nativeConv(op)) continue;
        const std::size_t from = toIndex(op.inputs[0]), to = toIndex(op.output);
        geometries[i] =
            ConvGeometry::of(plan.values[from], plan.values[to], op, facts[from].last, facts[to].last);
    }
}

bool Work::giveGradient(const PlanOp& op, int i, Product& p) {
    const std::size_t value = toIndex(op.inputs[toIndex(i)]);
    if (pass.wants_gradient[value] == 0) return false;
    p.c = gradients[value].data, p.c_row = gradients[value].stride;
    p.add = written[value] != 0;
    written[value] = 1;
    if (--missing[value] == 0 && facts[value].activation != Activation::none) {
        p.derive = values[value].data, p.derive_row = values[value].stride,
        p.derive_activation = facts[value].activation;
        derived[value] = 1;
    }
    return true;
}

View Work::takeGradient(const PlanOp& op) {
    const std::size_t value = toIndex(op.output);
    if (derived[value] == 0 && op.activation != Activation::none) {
        kernels->deactivate(op.activation, values[value].data, gradients[value].data,
                            toIndex(pass.rows) * pass.plan->values[value].size());
        derived[value] = 1;
    }
    return gradients[value];
}

std::size_t endOfConvolutions(const NetPlan& plan, std::size_t first) {
    std::size_t end = first;
    while (end < plan.ops.size() && nativeConv(plan.ops[end]) &&
           (end == first || plan.ops[end].inputs[0] == plan.ops[end - 1].output))
        ++end;
    return end - first < 2 ? first : end;
}

void prepareOp(Work& work, const PlanOp& op) {
    if (op.kind == OpKind::linear) prepareLinear(work, op);
    if (op.kind == OpKind::lstm || op.kind == OpKind::gru) prepareRecurrent(work, op);
    if (nativeConv(op)) prepareConv(work, op);
}

void forwardOp(Work& work, const PlanOp& op) {
    switch (op.kind) {
        case OpKind::linear: return forwardLinear(work, op);
        case OpKind::layer_norm: return forwardNorm(work, op);
        case OpKind::lstm: return forwardLstm(work, op);
        case OpKind::gru: return forwardGru(work, op);
        default: break;
    }
    if (nativeConv(op)) return forwardConv(work, op);
    if (op.kind == OpKind::input) {
        const ObsLeaf& leaf = work.pass.plan->spec.spaces.obs[toIndex(op.leaf)];
        if (work.facts[toIndex(op.output)].sparse) return listOnes(work, op);
        if (work.facts[toIndex(op.output)].borrowed) return;
        if (leaf.kind == ObsLeaf::Kind::image)
            return work.kernels->scaleBytes(work.pass.panel->obs[toIndex(op.leaf)],
                                            static_cast<float>(leaf.high), work.pass.value(op.output),
                                            toIndex(work.pass.rows) * work.pass.shape(op.output).size());
    }
    if (op.kind == OpKind::activation) {
        const std::size_t count = toIndex(work.pass.rows) * work.pass.shape(op.output).size();
        std::copy_n(work.pass.x(op), count, work.pass.value(op.output));
        return work.kernels->activate(op.activation, work.pass.value(op.output), count);
    }
    reference::kernelOf<float>(op.kind).forward(work.pass, op);
}

void backwardOp(Work& work, const PlanOp& op) {
    switch (op.kind) {
        case OpKind::linear: return backwardLinear(work, op);
        case OpKind::layer_norm: return backwardNorm(work, op);
        case OpKind::lstm: return backwardLstm(work, op);
        case OpKind::gru: return backwardGru(work, op);
        default: break;
    }
    if (nativeConv(op)) return backwardConv(work, op);
    const auto kernel = reference::kernelOf<float>(op.kind).backward;
    // The kernels of the reference engine add to what is there.
    for (const int x : op.inputs) {
        if (work.pass.wants_gradient[toIndex(x)] == 0) continue;
        if (work.written[toIndex(x)] == 0)
            std::fill_n(work.gradients[toIndex(x)].data, toIndex(work.pass.rows) * work.pass.shape(x).size(),
                        0.0f);
        work.written[toIndex(x)] = 1;
        --work.missing[toIndex(x)];
    }
    if (kernel != nullptr) kernel(work.pass, op);
}

}  // namespace seedbed::native
