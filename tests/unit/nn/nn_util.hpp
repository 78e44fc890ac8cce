// SPDX-License-Identifier: Apache-2.0
// Specs, seeds and numerical derivatives that tests of core/nn share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/engines/reference/runner.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed::testing_nn {

// The seed of a random test: `fixed`, or SEEDBED_TEST_SEED to try another. It is printed, so that a failure
// can be replayed.
inline std::uint64_t testSeed(std::uint64_t fixed) {
    const char* given = std::getenv("SEEDBED_TEST_SEED");
    const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : fixed;
    std::cout << "seed " << seed << " (replay with SEEDBED_TEST_SEED=" << seed << ")\n";
    return seed;
}

inline ObsLeaf vectorLeaf(const std::string& name, int n, int stack = 1) {
    return {.name = name,
            .kind = ObsLeaf::Kind::vector,
            .dtype = DType::f32,
            .shape = {n},
            .low = -10,
            .high = 10,
            .stack = stack,
            .labels = {}};
}
inline ObsLeaf imageLeaf(const std::string& name, int channels, int height, int width, double high = 255,
                         int stack = 1) {
    return {.name = name,
            .kind = ObsLeaf::Kind::image,
            .dtype = DType::u8,
            .shape = {channels, height, width},
            .low = 0,
            .high = high,
            .stack = stack,
            .labels = {}};
}
inline ObsLeaf discreteLeaf(const std::string& name, int n, int cardinality) {
    return {.name = name,
            .kind = ObsLeaf::Kind::discrete,
            .dtype = DType::i32,
            .shape = {n},
            .low = 0,
            .high = cardinality - 1.0,
            .cardinality = cardinality,
            .labels = {}};
}
inline ActionLeaf choice(const std::string& name, int n) {
    return {.name = name, .kind = ActionLeaf::Kind::discrete, .n = n, .low = {}, .high = {}, .labels = {}};
}
inline ActionLeaf box(const std::string& name, std::vector<double> low, std::vector<double> high) {
    return {.name = name,
            .kind = ActionLeaf::Kind::box,
            .low = std::move(low),
            .high = std::move(high),
            .labels = {}};
}

// Builds a plan; fails the test on errors.
inline NetPlan planOf(const NetSpec& spec) {
    auto plan = buildPlan(spec);
    if (!plan) {
        ADD_FAILURE() << plan.error().text();
        std::abort();
    }
    return *plan;
}

// A spec for `spaces` with flat or given encoders.
inline NetSpec specOf(const Spaces& spaces, const NetworkParams& params,
                      std::vector<HeadSpec> heads = {{"policy", "policy", 0, false},
                                                     {"value", "value", 1, false}},
                      const Json& encoder_params = Json::object()) {
    auto spec = makeNetSpec(spaces, params, std::move(heads), encoder_params);
    if (!spec) {
        ADD_FAILURE() << spec.error().text();
        std::abort();
    }
    return *spec;
}

inline std::vector<double> wide(const std::vector<float>& from) { return {from.begin(), from.end()}; }

// One network in double with random parameters and inputs, and the loss sum(head_weights * heads).
class GradientProbe {
public:
    GradientProbe(const NetPlan& network, int sequences, int steps, std::uint64_t seed)
        : plan(network),
          rng(seed, RngPurpose::test, 7),
          panel(samplePanel(plan, sequences, steps, rng)),
          blob(wide(sampleBlob(plan, seed))),
          runner(plan),
          state(wide(panel.state)) {
        heads.resize(static_cast<std::size_t>(sequences * steps * plan.head_words));
        for (std::size_t i = 0; i < heads.size(); ++i) head_weights.push_back(rng.normal());
    }

    double loss(const std::vector<double>& parameters) {
        runner.setParams(parameters.data());
        runner.forward(panel.rows(), state.data(), heads.data(), nullptr);
        double sum = 0;
        for (std::size_t i = 0; i < heads.size(); ++i) sum += head_weights[i] * heads[i];
        return sum;
    }
    std::vector<double> gradient(const std::vector<double*>* inputs = nullptr) {
        loss(blob);
        std::vector<double> lane(plan.param_floats, 0.0);
        runner.backward(head_weights.data(), lane.data(), inputs);
        return lane;
    }

    // The analytic derivative equals the central difference along a random direction in each parameter, and
    // along one in all parameters together. Step 1e-6 in double: truncation is about 1e-12 and rounding about
    // 1e-16 |loss| / 1e-6, so a tolerance of 1e-7 of the gradient's size allows even for the curvature of
    // deep networks.
    void expectGradients() {
        const std::vector<double> lane = gradient();
        double norm = 0;
        for (const double g : lane) norm += g * g;
        ASSERT_GT(norm, 0);
        std::vector<double> everything(blob.size(), 0.0);
        for (const ParamEntry& entry : plan.params) {
            std::vector<double> direction(blob.size(), 0.0);
            double length = 0;
            for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
                if (entry.role == ParamEntry::Role::buffer) {
                    EXPECT_EQ(lane[i], 0) << entry.name << " is a buffer";
                    continue;
                }
                direction[i] = rng.normal();
                length += direction[i] * direction[i];
            }
            if (entry.role == ParamEntry::Role::buffer) continue;
            for (double& d : direction) d /= std::sqrt(length);
            for (std::size_t i = 0; i < blob.size(); ++i) everything[i] += direction[i];
            expectDerivative(lane, direction, std::sqrt(norm), entry.name);
        }
        expectDerivative(lane, everything, std::sqrt(norm), "all parameters");
        expectGapsUntouched(lane);
    }

    NetPlan plan;
    Rng rng;
    SamplePanel panel;
    std::vector<double> blob;
    reference::Runner<double> runner;
    std::vector<double> state, heads, head_weights;

private:
    void expectDerivative(const std::vector<double>& lane, const std::vector<double>& direction, double norm,
                          const std::string& name) {
        constexpr double kStep = 1e-6;
        std::vector<double> plus = blob, minus = blob;
        double analytic = 0;
        for (std::size_t i = 0; i < blob.size(); ++i) {
            plus[i] += kStep * direction[i];
            minus[i] -= kStep * direction[i];
            analytic += lane[i] * direction[i];
        }
        const double numeric = (loss(plus) - loss(minus)) / (2 * kStep);
        EXPECT_NEAR(analytic, numeric, 1e-7 * (1 + norm)) << name;
    }
    void expectGapsUntouched(const std::vector<double>& lane) {
        std::vector<bool> used(lane.size(), false);
        for (const ParamEntry& entry : plan.params)
            for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) used[i] = true;
        for (std::size_t i = 0; i < lane.size(); ++i) EXPECT_TRUE(used[i] || lane[i] == 0) << "gap " << i;
    }
};

}  // namespace seedbed::testing_nn
