// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/native/work.hpp"

#include <algorithm>

#include "core/base/registry.hpp"

namespace seedbed::native {

namespace {

Registry<NativeOperation>& nativeRegistry() {
    static Registry<NativeOperation> registry;
    return registry;
}

Step stepOf(const NetPlan& plan, const PlanOp& op) {
    Step step{nativeRegistry().find(op.kind), reference::kernelRegistry<float>().find(op.kind)};
    if (step.native != nullptr && step.native->applies != nullptr && !step.native->applies(plan, op))
        step.native = nullptr;
    return step;
}

}  // namespace

bool registerNative(NativeOperation operation) {
    nativeRegistry().add(std::move(operation));
    return true;
}

Result<> checkSupport(const NetPlan& plan) {
    for (const PlanOp& op : plan.ops) {
        const Step step = stepOf(plan, op);
        const bool forward = step.native != nullptr || step.fallback != nullptr;
        if (!forward || (step.fallback == nullptr && step.native->backward == nullptr &&
                         step.native->backward_image == nullptr))
            return unsupportedOperation(plan, op, "engine 'native'");
    }
    return {};
}

Work::Work(const NetPlan& plan) : kernels(&activeKernels()) {
    const std::size_t count = plan.values.size();
    pass.plan = &plan;
    pass.values.resize(count);
    pass.gradients.resize(count);
    pass.wants_gradient.resize(count);
    pass.transposed.resize(plan.params.size());
    pass.saved.resize(plan.ops.size());
    pass.picked.resize(plan.ops.size());
    facts.resize(count);
    ones.resize(count);
    values.resize(count);
    gradients.resize(count);
    written.resize(count);
    derived.resize(count);
    pending.resize(count);
    packed.resize(plan.params.size());
    for (const PlanOp& op : plan.ops) steps.push_back(stepOf(plan, op));
    countConsumers();
    placeHeads();
    placeInputs();
    findImages();
    findRuns();
}

bool Work::isImage(int value) const {
    const PlanValue& shape = pass.plan->values[toIndex(value)];
    return shape.height * shape.width > 1;
}

// Element-wise operations also have functions for images, but run on all rows of vectors at once.
bool Work::imageByImage(std::size_t op) const {
    const PlanOp& planned = pass.plan->ops[op];
    return steps[op].native != nullptr && steps[op].native->forward_image != nullptr &&
           (planned.kernel > 0 || isImage(planned.output));
}

void Work::countConsumers() {
    const NetPlan& plan = *pass.plan;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        const NativeOperation* native = steps[i].native;
        ValueFacts& output = facts[toIndex(op.output)];
        output.producer = static_cast<int>(i);
        if (native != nullptr && native->activates) output.activation = op.activation;
        const bool reads_ones =
            native != nullptr && native->reads_ones != nullptr && native->reads_ones(plan, op);
        for (const int x : op.inputs) {
            ValueFacts& input = facts[toIndex(x)];
            ++input.consumers;
            input.only_views = input.only_views && native != nullptr && native->takes_views;
            input.only_bytes = input.only_bytes && native != nullptr && native->takes_bytes;
            input.only_ones = input.only_ones && reads_ones;
            input.only_images = input.only_images && imageByImage(i);
        }
    }
}

void Work::placeHeads() {
    const NetPlan& plan = *pass.plan;
    for (std::size_t h = 0; h < plan.heads.size(); ++h) {
        ValueFacts& value = facts[toIndex(plan.heads[h].value)];
        const NativeOperation* producer = steps[toIndex(value.producer)].native;
        // An operation with an activation is excluded, because the backward pass needs its activated values.
        const bool alone = value.consumers == 0 && producer != nullptr && producer->writes_views &&
                           plan.ops[toIndex(value.producer)].activation == Activation::none;
        value.head = alone ? static_cast<int>(h) : -1;
        value.borrowed = alone;
        value.only_views = false;
        value.only_images = false;
        value.only_ones = false;
        ++value.consumers;
    }
}

void Work::placeInputs() {
    const NetPlan& plan = *pass.plan;
    for (ValueFacts& value : facts) {
        const PlanOp& producer = plan.ops[toIndex(value.producer)];
        if (producer.leaf < 0 || !value.only_views) continue;
        const ObsLeaf& leaf = plan.spec.spaces.obs[toIndex(producer.leaf)];
        const bool image = leaf.kind == ObsLeaf::Kind::image;
        // Observations whose elements are bits, few of which are set, as in MinAtar.
        value.sparse = image && leaf.high == 1 && value.only_ones;
        value.borrowed = leaf.kind == ObsLeaf::Kind::vector || (image && value.only_bytes) || value.sparse;
    }
}

void Work::findImages() {
    const NetPlan& plan = *pass.plan;
    geometries.resize(plan.ops.size());
    for (std::size_t v = 0; v < facts.size(); ++v)
        facts[v].last = imageByImage(toIndex(facts[v].producer)) && isImage(static_cast<int>(v)) &&
                        facts[v].consumers > 0 && facts[v].only_images;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        if (!imageByImage(i) || op.kernel == 0) continue;
        const std::size_t from = toIndex(op.inputs[0]), to = toIndex(op.output);
        geometries[i] =
            ConvGeometry::of(plan.values[from], plan.values[to], op, facts[from].last, facts[to].last);
    }
}

void Work::findRuns() {
    const NetPlan& plan = *pass.plan;
    const std::size_t count = plan.ops.size();
    images_end.resize(count);
    images_begin.resize(count);
    image_gradients.resize(count);
    std::vector<std::size_t> forward_run(count), backward_run(count);
    const auto joins = [&](std::size_t i, bool backward) {
        return imageByImage(i) && (!backward || steps[i].native->backward_image != nullptr);
    };
    for (std::size_t i = 0; i < count; ++i) {
        forward_run[i] = i > 0 && joins(i, false) && joins(i - 1, false) ? forward_run[i - 1] : i;
        backward_run[i] = i > 0 && joins(i, true) && joins(i - 1, true) ? backward_run[i - 1] : i;
        images_begin[i] = backward_run[i];
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t end = i + 1;
        while (end < count && forward_run[end] == i) ++end;
        images_end[i] = end - i < 2 ? i : end;
    }
    for (ValueFacts& value : facts)
        value.forward_inner = value.backward_inner =
            value.consumers > 0 && value.only_images && imageByImage(toIndex(value.producer));
    for (std::size_t i = 0; i < count; ++i)
        for (const int x : plan.ops[i].inputs) {
            ValueFacts& value = facts[toIndex(x)];
            const std::size_t producer = toIndex(value.producer);
            value.forward_inner = value.forward_inner && forward_run[i] == forward_run[producer];
            value.backward_inner = value.backward_inner && backward_run[i] == backward_run[producer];
        }
}

bool Work::prepareInputGradient(const PlanOp& op, int i, Product& p) {
    const std::size_t value = toIndex(op.inputs[toIndex(i)]);
    if (pass.wants_gradient[value] == 0) return false;
    p.c = gradients[value].data;
    p.c_row = gradients[value].stride;
    p.add = written[value] != 0;
    written[value] = 1;
    if (--pending[value] == 0 && facts[value].activation != Activation::none) {
        p.derive = values[value].data;
        p.derive_row = values[value].stride;
        p.derive_activation = facts[value].activation;
        derived[value] = 1;
    }
    return true;
}

View Work::outputGradient(const PlanOp& op) {
    const std::size_t value = toIndex(op.output);
    if (derived[value] == 0 && op.activation != Activation::none) {
        kernels->deactivate(op.activation, values[value].data, gradients[value].data,
                            toIndex(pass.rows) * pass.plan->values[value].size());
        derived[value] = 1;
    }
    return gradients[value];
}

void Work::beginImageGradients(const PlanOp& op) {
    ImageGradients& g = imageGradients(op);
    const std::size_t value = toIndex(op.output);
    g = {};
    g.derive = derived[value] == 0 && op.activation != Activation::none;
    if (g.derive) derived[value] = 1;
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
        g.wanted[i] = prepareInputGradient(op, static_cast<int>(i), g.dx[i]);
}

float* Work::outputGradient(const PlanOp& op, int row) {
    const std::size_t value = toIndex(op.output);
    float* gradient = gradients[value].data + row * gradients[value].stride;
    if (imageGradients(op).derive)
        kernels->deactivate(op.activation, yRow(op, row), gradient, pass.plan->values[value].size());
    return gradient;
}

void prepareOp(Work& work, const PlanOp& op) {
    const NativeOperation* native = work.steps[work.pass.index(op)].native;
    if (native != nullptr && native->prepare != nullptr) native->prepare(work, op);
}

void forwardOp(Work& work, const PlanOp& op) {
    const Step& step = work.steps[work.pass.index(op)];
    if (step.native == nullptr) return step.fallback->forward(work.pass, op);
    if (step.native->forward != nullptr) return step.native->forward(work, op);
    for (int row = 0; row < work.pass.rows; ++row) step.native->forward_image(work, op, row);
}

void beginBackwardImages(Work& work, const PlanOp& op) {
    work.beginImageGradients(op);
    const NativeOperation& native = *work.steps[work.pass.index(op)].native;
    if (native.backward_begin != nullptr) native.backward_begin(work, op);
}

void endBackwardImages(Work& work, const PlanOp& op) {
    const NativeOperation& native = *work.steps[work.pass.index(op)].native;
    if (native.backward_end != nullptr) native.backward_end(work, op);
}

void backwardOp(Work& work, const PlanOp& op) {
    const Step& step = work.steps[work.pass.index(op)];
    if (step.native != nullptr && step.native->backward != nullptr) return step.native->backward(work, op);
    if (step.native != nullptr && step.native->backward_image != nullptr) {
        beginBackwardImages(work, op);
        for (int row = 0; row < work.pass.rows; ++row) step.native->backward_image(work, op, row);
        return endBackwardImages(work, op);
    }
    // Zeroed because the kernels of the reference engine add to the gradient.
    for (const int x : op.inputs) {
        if (work.pass.wants_gradient[toIndex(x)] == 0) continue;
        if (work.written[toIndex(x)] == 0)
            std::fill_n(work.gradients[toIndex(x)].data, work.pass.count(x), 0.0f);
        work.written[toIndex(x)] = 1;
        --work.pending[toIndex(x)];
    }
    if (step.fallback->backward != nullptr) step.fallback->backward(work.pass, op);
}

}  // namespace seedbed::native
