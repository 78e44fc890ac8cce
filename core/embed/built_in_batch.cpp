// SPDX-License-Identifier: Apache-2.0
#include "core/embed/built_in_batch.hpp"

#include <algorithm>
#include <utility>

#include "core/env/env_registry.hpp"
#include "core/env/render.hpp"

namespace seedbed {
namespace {

std::string describe(const EnvSpec& spec) {
    return Json{{"id", spec.id},
                {"title", spec.title},
                {"sentence", spec.sentence},
                {"spaces", toJson(spec.spaces)},
                {"agents", spec.agents},
                {"horizon", spec.horizon},
                {"reward_low", spec.reward_low},
                {"reward_high", spec.reward_high},
                {"solved", spec.solved ? Json(*spec.solved) : Json()}}
        .dump();
}

}  // namespace

Result<std::unique_ptr<BuiltInBatch>> BuiltInBatch::create(const std::string& env, const Json& settings,
                                                           int count, std::uint64_t seed, int threads) {
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(env));
    if (!entry->makeLocal) return fail(ErrorCode::config, "'" + env + "' is not a built-in environment");
    SEEDBED_ASSIGN(const Json params, entry->params->complete(settings, "env"));
    SEEDBED_ASSIGN(EnvSpec spec, entry->spec(params));
    std::unique_ptr<BuiltInBatch> made(new BuiltInBatch(std::move(spec), count));
    made->description_ = describe(made->spec_);
    for (int group = 0; group < std::min(threads, count); ++group) {
        const int first = static_cast<int>(std::int64_t{count} * group / threads);
        const int last = static_cast<int>(std::int64_t{count} * (group + 1) / threads);
        if (first == last) continue;
        SEEDBED_ASSIGN(auto batch, entry->makeLocal(params, last - first));
        made->groups_.push_back({.batch = std::move(batch), .first = first});
    }
    made->allocate();
    for (int e = 0; e < count; ++e)
        made->rngs_.emplace_back(seed, RngPurpose::environment, static_cast<std::uint32_t>(e));
    if (made->groups_.size() > 1)
        made->pool_ = std::make_unique<WorkerPool>(static_cast<int>(made->groups_.size()));
    SEEDBED_TRY(made->reset(nullptr, nullptr));
    return made;
}

void BuiltInBatch::allocate() {
    const auto columns = static_cast<std::size_t>(this->columns()), count = static_cast<std::size_t>(count_);
    for (const ObsLeaf& leaf : spec_.spaces.obs) {
        memory_.emplace_back((columns * leaf.bytes() + 7) / 8);
        leaves_.push_back(memory_.back().data());
    }
    mask_.resize(columns * static_cast<std::size_t>(spec_.spaces.maskBytes()));
    rewards_.resize(columns);
    terminated_.resize(columns);
    truncated_.resize(columns);
    has_ended_.resize(count);
    steps_.resize(count);
    for (const ActionLeaf& leaf : spec_.spaces.actions)
        for (int word = 0; word < leaf.words(); ++word) {
            const bool is_box = leaf.kind == ActionLeaf::Kind::box;
            const auto at = static_cast<std::size_t>(word);
            low_.push_back(is_box ? static_cast<float>(leaf.low[at]) : 0.0F);
            high_.push_back(is_box ? static_cast<float>(leaf.high[at]) : static_cast<float>(leaf.n - 1));
        }
    actions_.resize(columns * low_.size());
    for (Group& group : groups_) {
        const auto size = static_cast<std::size_t>(group.batch->count());
        group.active.resize(size);
        group.terminated.resize(size);
        group.truncated.resize(size);
        const auto first = static_cast<std::size_t>(group.first * spec_.agents);
        for (std::size_t i = 0; i < leaves_.size(); ++i)
            group.leaves.push_back(static_cast<std::uint8_t*>(leaves_[i]) +
                                   first * spec_.spaces.obs[i].bytes());
    }
}

void BuiltInBatch::observe(Group& group) {
    const int first = group.first * spec_.agents;
    group.batch->observe(group.leaves.data(),
                         mask_.empty() ? nullptr : mask_.data() + first * spec_.spaces.maskBytes());
}

Result<> BuiltInBatch::reset(const std::uint8_t* chosen, const std::uint64_t* seeds) {
    for (Group& group : groups_) {
        for (int i = 0; i < group.batch->count(); ++i) {
            const auto env = static_cast<std::size_t>(group.first + i);
            if (chosen != nullptr && chosen[env] == 0) continue;
            if (seeds != nullptr)
                rngs_[env] = Rng(seeds[env], RngPurpose::environment, static_cast<std::uint32_t>(env));
            group.batch->reset(i, rngs_[env]);
            steps_[env] = 0;
            has_ended_[env] = 0;
        }
        observe(group);
    }
    return {};
}

Result<> BuiltInBatch::copyActions(const float* actions) {
    const std::size_t words = low_.size(), count = actions_.size();
    if (words == 1 && spec_.spaces.actions.front().kind == ActionLeaf::Kind::discrete) {
        // The usual case, in a form that compilers vectorise.
        const float high = high_.front();
        bool is_valid = true;
        for (std::size_t i = 0; i < count; ++i) {
            const float action = actions[i];
            const bool is_in_range = action >= 0 && action <= high;
            is_valid &=
                is_in_range && static_cast<float>(static_cast<int>(is_in_range ? action : 0)) == action;
            actions_[i] = action;
        }
        if (is_valid) return {};
    }
    for (int column = 0; column < columns(); ++column, actions += words) {
        if (!isAction(spec_.spaces, actions))
            return fail(ErrorCode::config,
                        "the action of column " + std::to_string(column) +
                            " does not exist; choices count from 0, and real numbers are finite");
        float* to = actions_.data() + static_cast<std::size_t>(column) * words;
        for (std::size_t word = 0; word < words; ++word)
            to[word] = std::clamp(actions[word], low_[word], high_[word]);
    }
    return {};
}

Result<> BuiltInBatch::step(const float* actions) {
    SEEDBED_TRY(copyActions(actions));
    if (pool_ == nullptr) return step(groups_.front());
    return pool_->run(groups_.size(), [&](std::size_t group, int) { return step(groups_[group]); });
}

Result<> BuiltInBatch::step(Group& group) {
    const int agents = spec_.agents, first = group.first * agents, horizon = spec_.horizon;
    const std::size_t begin = static_cast<std::size_t>(group.first), count = group.active.size();
    // Local pointers, since a byte that is written could otherwise be part of any member.
    std::uint8_t *const active = group.active.data(), *const has_ended = has_ended_.data() + begin,
                        *const terminated = terminated_.data() + first,
                        *const truncated = truncated_.data() + first;
    const std::uint8_t *const env_terminated = group.terminated.data(), *const env_truncated =
                                                                            group.truncated.data();
    auto* const steps = steps_.data() + begin;
    float* const rewards = rewards_.data() + first;
    for (std::size_t i = 0; i < count; ++i) active[i] = has_ended[i] == 0;
    SEEDBED_TRY(group.batch->step(actions_.data() + static_cast<std::size_t>(first) * low_.size(), active,
                                  rngs_.data() + begin, rewards, group.terminated.data(),
                                  group.truncated.data()));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t column = i * static_cast<std::size_t>(agents);
        bool ends = false, is_cut = false;
        if (active[i] == 0) {
            group.batch->reset(static_cast<int>(i), rngs_[begin + i]);
            steps[i] = 0;
            std::fill_n(rewards + column, agents, 0.0F);
        } else {
            ++steps[i];
            ends = env_terminated[i] != 0;
            is_cut = !ends && (env_truncated[i] != 0 || (horizon > 0 && steps[i] >= horizon));
        }
        has_ended[i] = ends || is_cut;
        std::fill_n(terminated + column, agents, ends);
        std::fill_n(truncated + column, agents, is_cut);
    }
    observe(group);
    return {};
}

void BuiltInBatch::draw(int env, int height, int width, std::uint8_t* rgb) const {
    const auto group = std::find_if(groups_.rbegin(), groups_.rend(),
                                    [&](const Group& candidate) { return candidate.first <= env; });
    Scene scene;
    group->batch->draw(env - group->first, scene);
    const Picture picture = render(scene, width, height);
    std::copy(picture.rgb.begin(), picture.rgb.end(), rgb);
}

}  // namespace seedbed
