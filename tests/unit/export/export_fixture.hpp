// SPDX-License-Identifier: Apache-2.0
// Policies with random weights for every kind of network, and a folder for exports.
#pragma once

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"
#include "core/env/env_registry.hpp"
#include "core/export/export.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed::testing {

inline ObsLeaf vectorLeaf(int n, const std::string& name = "obs") {
    ObsLeaf leaf;
    leaf.name = name;
    leaf.shape = {n};
    leaf.low = -INFINITY;
    leaf.high = INFINITY;
    return leaf;
}
inline ObsLeaf imageLeaf(int channels, int side, double high, int stack = 1) {
    ObsLeaf leaf;
    leaf.name = "picture", leaf.kind = ObsLeaf::Kind::image, leaf.dtype = DType::u8,
    leaf.shape = {channels, side, side};
    leaf.low = 0;
    leaf.high = high;
    leaf.stack = stack;
    return leaf;
}
inline ObsLeaf discreteLeaf(int n, int cardinality) {
    ObsLeaf leaf;
    leaf.name = "code", leaf.kind = ObsLeaf::Kind::discrete, leaf.dtype = DType::i32, leaf.shape = {n},
    leaf.cardinality = cardinality;
    leaf.low = 0;
    leaf.high = cardinality - 1;
    return leaf;
}
inline ActionLeaf choiceLeaf(int n, const std::string& name = "action") {
    ActionLeaf leaf;
    leaf.name = name;
    leaf.n = n;
    return leaf;
}
inline ActionLeaf boxLeaf(std::vector<double> low, std::vector<double> high,
                          const std::string& name = "force") {
    ActionLeaf leaf;
    leaf.name = name, leaf.kind = ActionLeaf::Kind::box, leaf.low = std::move(low),
    leaf.high = std::move(high);
    return leaf;
}

// All weights and buffers are random, so that no value equals a default of zero or one that an exporter may
// omit.
inline Params randomParams(const NetPlan& plan, std::uint64_t seed) {
    const Params initial = initialParams(plan, seed);
    std::vector<float> blob(initial.blob().begin(), initial.blob().end());
    Rng rng(seed, RngPurpose::test, 7);
    for (const ParamEntry& entry : plan.params) {
        for (std::size_t i = 0; i < entry.count; ++i) {
            float& x = blob[entry.offset + i];
            const auto noise = static_cast<float>(rng.normal());
            if (entry.name.ends_with(".var") || entry.name.ends_with(".std")) x = 0.5f + noise * noise;
            else if (entry.name.ends_with(".count")) x = 1000;
            else if (entry.role == ParamEntry::Role::buffer) x = noise;
            else if (entry.shape.size() == 1) x += 0.3f * noise;
            else if (entry.name.starts_with("head."))
                x = noise / std::sqrt(static_cast<float>(entry.count) / static_cast<float>(entry.shape[0]));
        }
    }
    return Params(std::move(blob), 3);
}

inline PolicyBundle bundleOf(const NetSpec& spec, const std::string& env = "no_such_env") {
    const NetPlan plan = must(buildPlan(spec));
    PolicyBundle bundle{{"policy", spec, randomParams(plan, 5)}, spec.squash, {}, {}};
    bundle.provenance.env = env, bundle.provenance.algo = "ppo", bundle.provenance.run = "7",
    bundle.provenance.steps = 1234;
    bundle.provenance.build = "0.1.0";
    bundle.provenance.config = {{"gamma", 0.99}};
    bundle.provenance.evaluation = {
        {"n", 100}, {"mean", 12.5}, {"std", 1.5}, {"iqm", 12.25}, {"ci95", {12.2, 12.8}}};
    return bundle;
}

// CartPole's network with random weights: everything that an export needs, without training.
inline PolicyBundle cartpoleBundle(NetworkParams params = {}) {
    const Spaces spaces = envRegistry().find("cartpole")->spec(Json::object())->spaces;
    params.normalise_obs = true;
    return bundleOf(
        must(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}})),
        "cartpole");
}

class ExportTest : public ::testing::Test {
protected:
    Path folder(const std::string& name = "out") const { return temporary_.path() / name; }
    // A request that is checked with the executors that every machine has.
    ExportRequest request(PolicyBundle bundle, std::vector<std::string> targets = {"onnx"}) const {
        ExportRequest request;
        request.bundle = std::move(bundle);
        request.targets = std::move(targets);
        request.folder = folder();
        request.executor = request.targets.front() == "onnx"          ? "interpreter"
                           : request.targets.front() == "safetensors" ? "reference"
                                                                      : "";
        request.parity.episodes = 4;
        request.parity.seconds = 200;
        request.replay = false;
        return request;
    }
    std::vector<std::string> names(const Path& path) {
        std::vector<std::string> list;
        for (const auto& info : must(files_.list(path))) list.push_back(info.name);
        return list;
    }

    FailingFiles files_;
    TemporaryFolder temporary_;
};

}  // namespace seedbed::testing
