// SPDX-License-Identifier: Apache-2.0
#include "core/export/play.hpp"

#include <algorithm>
#include <cstring>

#include "core/policy/bundle_env.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {

Result<Play> Play::create(const PolicyModel& model, int envs, std::uint64_t seed) {
    SEEDBED_ASSIGN(const BundleEnv env, environmentOf(model.bundle));
    const EnvSpec& spec = env.spec;
    Play play(model);
    RingSpec ring{
        .spaces = spec.spaces, .columns = envs * spec.agents, .rows = 0, .policy_words = model.policy_words};
    ring.rows = ring.history() + 3;
    SEEDBED_ASSIGN(play.ring_, Ring::create(ring));
    SEEDBED_ASSIGN(auto batch, env.entry->make(env.params, envs));
    play.env_ = std::make_unique<VectorEnv>(
        std::move(batch), *play.ring_,
        VectorEnvOptions{
            .seed = seed, .purpose = RngPurpose::evaluation_environment, .horizon = spec.horizon});
    SEEDBED_TRY(play.env_->reset());
    play.batch_ = emptyBatch(model, play.rows());
    play.feedback_ = play.batch_.previous_action;
    play.bytes_.resize(spec.spaces.obs.size());
    return play;
}

int Play::agents() const { return env_->spec().agents; }
bool Play::first(int row) const { return ring_->first(ring_->head())[row] != 0; }
bool Play::valid(int row) const { return ring_->valid(ring_->head())[row] != 0; }

const ModelBatch& Play::observe() {
    const std::uint64_t t = ring_->head();
    std::vector<RowRef> refs;
    for (int row = 0; row < rows(); ++row) refs.push_back({t, row, 0});
    const std::vector<Ring*> rings{ring_.get()};
    for (std::size_t leaf = 0; leaf < bytes_.size(); ++leaf) {
        const ObsLeaf& spec = model_->spaces().obs[leaf];
        std::vector<float>& to = batch_.obs[leaf];
        bytes_[leaf].resize(to.size() * bytesOf(spec.dtype));
        gatherObs(rings, static_cast<int>(leaf), refs.data(), refs.size(), bytes_[leaf].data());
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (spec.dtype == DType::u8) to[i] = bytes_[leaf][i];
            if (spec.dtype == DType::f32) std::memcpy(&to[i], &bytes_[leaf][i * 4], 4);
            if (spec.dtype == DType::i32) {
                std::int32_t word = 0;
                std::memcpy(&word, &bytes_[leaf][i * 4], 4);
                to[i] = static_cast<float>(word);
            }
        }
    }
    if (!batch_.mask.empty()) std::copy_n(ring_->mask(t), batch_.mask.size(), batch_.mask.begin());
    // At the start of an episode, the previous action and reward have their initial values.
    const ModelBatch start = emptyBatch(*model_, 1);
    const auto words = start.previous_action.size();
    for (int row = 0; row < rows(); ++row) {
        const auto at = static_cast<std::size_t>(row);
        if (words > 0)
            std::copy_n(first(row) ? start.previous_action.data() : feedback_.data() + at * words, words,
                        batch_.previous_action.data() + at * words);
        if (model_->wants_previous_reward)
            batch_.previous_reward[at] = first(row) ? 0.0f : ring_->reward(t - 1)[row];
    }
    return batch_;
}

Result<> Play::step(const std::vector<float>& actions, const std::vector<float>& feedback,
                    std::vector<EpisodeEnd>& ended) {
    std::copy(actions.begin(), actions.end(), ring_->action(ring_->head()));
    feedback_ = feedback;
    return env_->step(ended);
}

Scene Play::scene() const {
    Scene scene;
    env_->batch().draw(0, scene);
    return scene;
}

void Play::onStepped(std::function<void()> stepped) { env_->onStepped(std::move(stepped)); }

float Play::reward(int row) const {
    return ring_->head() == 0 ? 0.0f : ring_->reward(ring_->head() - 1)[row];
}

void PlayMemory::give(const Play& play, ModelBatch& batch) {
    for (int row = 0; row < play.rows(); ++row)
        if (words_ > 0 && play.first(row))
            std::fill_n(state_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * words_),
                        words_, 0.0f);
    batch.state = state_;
}

}  // namespace seedbed
