// SPDX-License-Identifier: Apache-2.0
#include "gpu/pass.hpp"

#include <algorithm>

namespace seedbed::gpu {

Registry<GpuOperation>& gpuOperations() {
    static Registry<GpuOperation> registry;
    return registry;
}

bool registerGpuOperation(GpuOperation operation) {
    gpuOperations().add(std::move(operation));
    return true;
}

bool Pass::grades(const PlanOp& op, int i) {
    const ParamEntry& param = entry(op, i);
    if (!wants_lane || param.role != ParamEntry::Role::weight) return false;
    graded.push_back(&param);
    return true;
}

Slice Pass::keep(const PlanOp& op, std::uint64_t floats) {
    Slice& slice = kept_[index(op)];
    slice = arena_.take(floats * sizeof(float));
    return slice;
}

void Pass::beginForward(bool with_tape) {
    arena_.begin();
    const auto take = [this](std::vector<Slice>& slices) {
        slices.resize(plan_.values.size());
        for (std::size_t v = 0; v < slices.size(); ++v)
            slices[v] = arena_.take(plan_.values[v].size() * rows * sizeof(float));
    };
    take(values_);
    if (with_tape) take(gradients_);
    kept_.assign(plan_.ops.size(), {});
}

void Pass::beginBackward() {
    written_.assign(plan_.values.size(), 0);
    graded.clear();
}

}  // namespace seedbed::gpu
