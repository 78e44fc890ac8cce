// SPDX-License-Identifier: Apache-2.0
// An environment whose observations identify their lane, agent, episode and step.
#include "tests/unit/env/counting_env.hpp"

#include <algorithm>

namespace seedbed::test {

EnvSpec countingSpec(const CountingOptions& options) {
    EnvSpec spec;
    spec.id = "counting";
    spec.spaces.obs = {ObsLeaf{.name = "place", .shape = {4}, .labels = {"tag", "episode", "step", "agent"}},
                       ObsLeaf{.name = "image",
                               .kind = ObsLeaf::Kind::image,
                               .dtype = DType::u8,
                               .shape = {1, 2, 2},
                               .high = 255,
                               .stack = options.stack},
                       ObsLeaf{.name = "count",
                               .kind = ObsLeaf::Kind::discrete,
                               .dtype = DType::i32,
                               .shape = {2},
                               .cardinality = 1 << 20}};
    spec.spaces.actions = {ActionLeaf{.n = 3}};
    spec.spaces.has_mask = true;
    spec.agents = options.agents;
    return spec;
}

void CountingEnv::reset(Rng& rng) {
    plan_ = Plan::draw(rng, options_.longest);
    ++episode_;
    step_ = 0;
}

StepResult CountingEnv::step(const float* actions, float* rewards, Rng&) {
    for (int agent = 0; agent < options_.agents; ++agent)
        rewards[agent] = Place{static_cast<int>(plan_.tag), episode_, step_, agent}.reward(actions[agent]);
    ++step_;
    const bool end = step_ >= plan_.length;
    return {rewards[0], end && plan_.terminates, end && !plan_.terminates};
}

void CountingEnv::observe(int agent, ObsOut out) const {
    const Place place{static_cast<int>(plan_.tag), episode_, step_, agent};
    std::ranges::copy(place.vector(), out.leaf<float>(0));
    std::ranges::copy(place.image(), out.leaf<std::uint8_t>(1));
    std::ranges::copy(place.discrete(), out.leaf<std::int32_t>(2));
    if (out.mask != nullptr) std::ranges::copy(place.mask(), out.mask);
}

void CountingEnv::draw(Scene& scene) const { scene.clear(-1, -1, 1, 1); }

void CountingEnv::archive(Archive& archive) {
    archive.field("length", plan_.length, range(0, 1'000'000)).flag("terminates", plan_.terminates);
    archive.any(plan_.tag).field("episode", episode_, range(-1, 1'000'000'000));
    archive.field("step", step_, range(0, 1'000'000));
}

Json CountingEnv::state() const { return {{"episode", episode_}, {"step", step_}}; }

Result<> CountingEnv::setState(const Json& state) {
    episode_ = state.at("episode").get<int>();
    step_ = state.at("step").get<int>();
    return {};
}

std::unique_ptr<LocalBatch> countingBatch(const CountingOptions& options, int count) {
    std::vector<std::unique_ptr<Env>> envs;
    for (int env = 0; env < count; ++env) envs.push_back(std::make_unique<CountingEnv>(options));
    return batchOf(countingSpec(options), std::move(envs));
}

}  // namespace seedbed::test
