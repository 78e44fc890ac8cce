// SPDX-License-Identifier: Apache-2.0
// Computes the errors of outputs, states and gradients relative to their magnitudes.
#include "core/nn/engines/check/parity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.hpp"
#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

// Infinite if either number is NaN.
double difference(float a, float b) {
    const double d = std::abs(static_cast<double>(a) - static_cast<double>(b));
    return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

// The largest difference between `count` numbers in units of max(1, largest true value), and its position.
double largestDifference(const float* truth, const float* tested, std::size_t count, std::size_t& at) {
    double scale = 1, error = 0;
    at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(truth[i])) scale = std::max(scale, std::abs(static_cast<double>(truth[i])));
        if (const double d = difference(truth[i], tested[i]); d > error) {
            error = d;
            at = i;
        }
    }
    return error / scale;
}

}  // namespace

ParityTolerance ParityTolerance::forRows(const NetPlan& plan, int rows) {
    double kinks = 0;
    for (const PlanOp& op : plan.ops)
        if (op.activation == Activation::relu || operationOf(op).kinks)
            kinks += static_cast<double>(plan.values[static_cast<std::size_t>(op.output)].size());
    ParityTolerance tolerance;
    if (kinks * rows > 1e4) tolerance.gradient = 1e-2;
    return tolerance;
}

void ParityReport::include(const ParityReport& other) {
    if (other.forward > forward) {
        forward = other.forward;
        worst_output = other.worst_output;
    }
    if (other.gradient > gradient) {
        gradient = other.gradient;
        worst_gradient = other.worst_gradient;
    }
}

Result<> ParityReport::check(const ParityTolerance& tolerance, const std::string& name) const {
    if (!(forward <= tolerance.forward))
        return fail(ErrorCode::parity, "engine '" + name + "' differs from the reference by " +
                                           formatNumber(forward) + " (allowed " +
                                           formatNumber(tolerance.forward) + ") in " + worst_output);
    if (!(gradient <= tolerance.gradient))
        return fail(ErrorCode::parity,
                    "engine '" + name + "' has a relative gradient error of " + formatNumber(gradient) +
                        " (allowed " + formatNumber(tolerance.gradient) + ") in '" + worst_gradient + "'");
    return {};
}

ParityReport compareHeads(const NetPlan& plan, int rows, const float* truth, const float* tested) {
    ParityReport report;
    std::size_t at = 0;
    const auto words = static_cast<std::size_t>(plan.head_words);
    report.forward = largestDifference(truth, tested, static_cast<std::size_t>(rows) * words, at);
    for (const PlanHead& head : plan.heads) {
        const auto column = static_cast<int>(at % words);
        if (column >= head.begin && column < head.begin + head.width)
            report.worst_output = "head '" + head.name + "', row " + std::to_string(at / words);
    }
    return report;
}

ParityReport compareStates(const NetPlan& plan, int sequences, const float* truth, const float* tested) {
    ParityReport report;
    if (plan.state_words == 0) return report;
    std::size_t at = 0;
    const auto words = static_cast<std::size_t>(plan.state_words);
    report.forward = largestDifference(truth, tested, static_cast<std::size_t>(sequences) * words, at);
    report.worst_output = "recurrent state, sequence " + std::to_string(at / words);
    return report;
}

ParityReport compareGradients(const NetPlan& plan, const std::vector<float>& truth,
                              const std::vector<float>& tested) {
    const auto norm = [](double square) { return std::sqrt(square); };
    double total = 0;
    for (const float g : truth) total += static_cast<double>(g) * static_cast<double>(g);
    ParityReport report;
    for (const ParamEntry& entry : plan.params) {
        double square = 0, error = 0;
        for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
            const double d = difference(truth[i], tested[i]);
            square += static_cast<double>(truth[i]) * static_cast<double>(truth[i]);
            error += d * d;
        }
        // If all gradients are zero, they must match exactly.
        const double scale = std::max(norm(square), 0.01 * norm(total));
        const double relative = error == 0 ? 0 : norm(error) / scale;
        if (relative > report.gradient) {
            report.gradient = relative;
            report.worst_gradient = entry.name;
        }
    }
    return report;
}

ParityReport compareInputGradients(const NetPlan& plan, std::size_t leaf, std::size_t count,
                                   const float* truth, const float* tested) {
    double square = 0, error = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double d = difference(truth[i], tested[i]);
        square += static_cast<double>(truth[i]) * static_cast<double>(truth[i]);
        error += d * d;
    }
    ParityReport report;
    report.gradient = error == 0 ? 0 : std::sqrt(error / square);
    if (report.gradient > 0) report.worst_gradient = "observation " + plan.spec.spaces.obs[leaf].name;
    return report;
}

namespace {

// Memory for the gradients of the vector leaves.
struct InputGradients {
    std::vector<std::vector<float>> values;
    std::vector<float*> pointers;  // null for other leaves

    InputGradients(const NetPlan& plan, std::size_t rows) : values(plan.spec.spaces.obs.size()) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const ObsLeaf& leaf = plan.spec.spaces.obs[i];
            const bool vector = leaf.kind == ObsLeaf::Kind::vector;
            if (vector) values[i].resize(rows * static_cast<std::size_t>(leaf.stack) * leaf.elements());
            pointers.push_back(vector ? values[i].data() : nullptr);
        }
    }
};

}  // namespace

Result<ParityReport> measureParity(EngineNet& truth, EngineNet& tested, int sequences, int steps,
                                   std::uint64_t seed) {
    const NetPlan& plan = truth.plan();
    Rng rng(seed, RngPurpose::test, 1);
    const SamplePanel panel = samplePanel(plan, sequences, steps, rng);
    const Params params(sampleBlob(plan, seed), 1);
    const auto outputs = static_cast<std::size_t>(sequences) * static_cast<std::size_t>(steps) *
                         static_cast<std::size_t>(plan.head_words);
    const auto states = static_cast<std::size_t>(sequences) * static_cast<std::size_t>(plan.state_words);
    std::vector<float> head_gradients(outputs);
    for (float& g : head_gradients) g = static_cast<float>(rng.normal());

    std::vector<float> heads[2], state[2], lane[2];
    const auto row_count = static_cast<std::size_t>(sequences) * static_cast<std::size_t>(steps);
    InputGradients inputs[2] = {InputGradients(plan, row_count), InputGradients(plan, row_count)};
    EngineNet* engines[2] = {&truth, &tested};
    for (int e = 0; e < 2; ++e) {
        heads[e].resize(outputs);
        state[e].resize(states);
        lane[e].assign(plan.param_floats, 0.0f);
        const auto context = engines[e]->context();
        const Rows rows = panel.rows();
        SEEDBED_TRY(context->run(params, rows, {heads[e].data(), states == 0 ? nullptr : state[e].data()},
                                 Keep::tape));
        SEEDBED_TRY(context->backward(head_gradients.data(), lane[e].data()));
        SEEDBED_TRY(context->run(params, rows, {heads[e].data(), nullptr}, Keep::tape));
        SEEDBED_TRY(context->backward(head_gradients.data(), nullptr, &inputs[e].pointers));
    }
    ParityReport report = compareHeads(plan, sequences * steps, heads[0].data(), heads[1].data());
    report.include(compareStates(plan, sequences, state[0].data(), state[1].data()));
    report.include(compareGradients(plan, lane[0], lane[1]));
    for (std::size_t leaf = 0; leaf < inputs[0].values.size(); ++leaf)
        report.include(compareInputGradients(plan, leaf, inputs[0].values[leaf].size(),
                                             inputs[0].pointers[leaf], inputs[1].pointers[leaf]));
    return report;
}

}  // namespace seedbed
