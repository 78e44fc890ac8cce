// SPDX-License-Identifier: Apache-2.0
#include "core/nn/normaliser.hpp"

namespace seedbed {

namespace {

// The normalise operation on leaf `leaf`, or null.
const PlanOp* normaliserOf(const NetPlan& plan, int leaf) {
    for (const PlanOp& op : plan.ops) {
        if (op.kind != "normalise") continue;
        for (const PlanOp& source : plan.ops)
            if (source.output == op.inputs[0] && source.leaf == leaf) return &op;
    }
    return nullptr;
}

}  // namespace

void ObservationMoments::merge(const ObservationMoments& other) {
    if (other.count == 0) return;
    if (mean.empty()) {
        *this = other;
        return;
    }
    const double total = count + other.count;
    for (std::size_t e = 0; e < mean.size(); ++e) {
        const double delta = other.mean[e] - mean[e];
        squares[e] += other.squares[e] + delta * delta * count * other.count / total;
        mean[e] += delta * other.count / total;
    }
    count = total;
}

ObservationMoments observationMoments(const float* values, std::size_t rows, std::size_t elements) {
    const auto n = static_cast<double>(rows);
    ObservationMoments moments{n, std::vector<double>(elements, 0.0), std::vector<double>(elements, 0.0)};
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t e = 0; e < elements; ++e)
            moments.mean[e] += static_cast<double>(values[r * elements + e]);
    if (rows == 0) return moments;
    for (double& m : moments.mean) m /= n;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t e = 0; e < elements; ++e) {
            const double deviation = static_cast<double>(values[r * elements + e]) - moments.mean[e];
            moments.squares[e] += deviation * deviation;
        }
    }
    return moments;
}

void updateNormaliser(const NetPlan& plan, std::vector<float>& blob, int leaf, const float* values,
                      std::size_t rows) {
    if (normaliserOf(plan, leaf) == nullptr || rows == 0) return;
    const std::size_t elements = plan.spec.spaces.obs[static_cast<std::size_t>(leaf)].elements();
    updateNormaliser(plan, blob, leaf, observationMoments(values, rows, elements));
}

void updateNormaliser(const NetPlan& plan, std::vector<float>& blob, int leaf,
                      const ObservationMoments& moments) {
    const PlanOp* op = normaliserOf(plan, leaf);
    if (op == nullptr || moments.count == 0) return;
    const auto buffer = [&](std::size_t i) {
        return &blob[plan.params[static_cast<std::size_t>(op->params[i])].offset];
    };
    float *mean = buffer(0), *var = buffer(1), *count = buffer(2);
    const ObsLeaf& spec = plan.spec.spaces.obs[static_cast<std::size_t>(leaf)];
    const std::size_t elements = spec.elements();
    const double n = moments.count;

    // Chan, Golub & LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances",
    // 1979, equations 2.1.
    const double before = static_cast<double>(*count), total = before + n;
    for (std::size_t e = 0; e < elements; ++e) {
        const double old_mean = static_cast<double>(mean[e]), delta = moments.mean[e] - old_mean;
        const double square =
            before * static_cast<double>(var[e]) + moments.squares[e] + delta * delta * before * n / total;
        // All frames of a stack use the statistics of single frames.
        for (std::size_t frame = 0; frame < static_cast<std::size_t>(spec.stack); ++frame) {
            mean[frame * elements + e] = static_cast<float>(old_mean + delta * n / total);
            var[frame * elements + e] = static_cast<float>(square / total);
        }
    }
    // Above 2^24 the sum is rounded, and newer observations begin to have slightly more weight.
    *count = static_cast<float>(total);
}

}  // namespace seedbed
