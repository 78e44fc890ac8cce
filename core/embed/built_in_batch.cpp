// SPDX-License-Identifier: Apache-2.0
#include "core/embed/built_in_batch.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/simd.hpp"
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

// Loops over all environments. Arrays do not overlap.

// Actions of a single choice, 0 to `high`.
template <class T>
struct Choices {
    const T* from = nullptr;
    float* to = nullptr;
    std::size_t count = 0;
    T high = 0;
};

// valid: whether all choices exist.
SEEDBED_INLINE void realLoop(const Choices<float>& choices, bool* valid) {
    const float *const from = choices.from, high = choices.high;
    float* const to = choices.to;
    std::int32_t wrong = 0;
    SEEDBED_INDEPENDENT
    for (std::size_t i = 0; i < choices.count; ++i) {
        const float action = from[i];
        const float above = action > 0 ? action : 0, inside = above < high ? above : high;
        wrong |= static_cast<float>(static_cast<std::int32_t>(inside)) == action ? 0 : 1;
        to[i] = action;
    }
    *valid = wrong == 0;
}
SEEDBED_VERSIONED(copyReals, realLoop, (const Choices<float>& choices, bool* valid), (choices, valid))

SEEDBED_INLINE void integerLoop(const Choices<std::int64_t>& choices, bool* valid) {
    const std::int64_t *const from = choices.from, high = choices.high;
    float* const to = choices.to;
    std::int64_t wrong = 0;  // negative if any choice is negative or above `high`
    SEEDBED_INDEPENDENT
    for (std::size_t i = 0; i < choices.count; ++i) {
        const std::int64_t action = from[i];
        wrong |= action | (high - std::max<std::int64_t>(action, 0));
        to[i] = static_cast<float>(static_cast<std::int32_t>(action));
    }
    *valid = wrong >= 0;
}
SEEDBED_VERSIONED(copyIntegers, integerLoop, (const Choices<std::int64_t>& choices, bool* valid),
                  (choices, valid))

// Episodes after a step, one value per environment; all but `steps` are 0 or 1.
struct Episodes {
    std::size_t count = 0;
    int horizon = 0;  // decisions; above 0
    const std::uint8_t* active = nullptr;
    int* steps = nullptr;                // in and out: those of the episode; 0 if it begins
    std::uint8_t* terminated = nullptr;  // in and out
    std::uint8_t* truncated = nullptr;   // in: by the environment; out: also by the horizon
    std::uint8_t* continues = nullptr;   // out: the episode has not ended
};

SEEDBED_INLINE void episodesLoop(const Episodes& episodes) {
    const std::size_t count = episodes.count;
    const int horizon = episodes.horizon;
    const std::uint8_t* const active = episodes.active;
    int* const steps = episodes.steps;
    std::uint8_t *const terminated = episodes.terminated, *const truncated = episodes.truncated,
                        *const continues = episodes.continues;
    SEEDBED_INDEPENDENT
    for (std::size_t i = 0; i < count; ++i) {
        steps[i] = active[i] != 0 ? steps[i] + 1 : 0;
        continues[i] = steps[i] < horizon ? 1 : 0;
    }
    SEEDBED_INDEPENDENT
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t ends = terminated[i] & active[i];
        const std::uint8_t is_cut = (truncated[i] | (continues[i] ^ 1)) & active[i] & (ends ^ 1);
        terminated[i] = ends;
        truncated[i] = is_cut;
        continues[i] = (ends | is_cut) ^ 1;
    }
}
SEEDBED_VERSIONED(passEpisodes, episodesLoop, (const Episodes& episodes), (episodes))

// Calls act(i) for each byte that is 0; the others, which are most, are 1.
template <class Act>
void forEachZero(const std::uint8_t* bytes, std::size_t count, const Act& act) {
    constexpr std::uint64_t ones = 0x0101010101010101ULL;
    for (std::size_t begin = 0; begin < count; begin += 8) {
        std::uint64_t word = ones;
        if (begin + 8 <= count) std::memcpy(&word, bytes + begin, 8);
        else std::memcpy(&word, bytes + begin, count - begin);
        for (std::uint64_t zeros = word ^ ones; zeros != 0; zeros &= zeros - 1)
            act(begin + static_cast<std::size_t>(std::countr_zero(zeros)) / 8);
    }
}

Result<> noSuchAction(std::size_t column) {
    return fail(ErrorCode::config, "the action of column " + std::to_string(column) +
                                       " does not exist; choices count from 0, and real numbers are finite");
}

// Gives each agent the value of its environment.
void spread(const std::vector<std::uint8_t>& values, std::size_t agents, std::uint8_t* columns) {
    if (agents == 1) std::memcpy(columns, values.data(), values.size());
    else
        for (std::size_t env = 0; env < values.size(); ++env)
            std::memset(columns + env * agents, values[env], agents);
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
    steps_.resize(count);
    for (const ActionLeaf& leaf : spec_.spaces.actions)
        for (int word = 0; word < leaf.words(); ++word) {
            const bool is_box = leaf.kind == ActionLeaf::Kind::box;
            is_discrete_ = is_discrete_ && !is_box;
            const auto at = static_cast<std::size_t>(word);
            low_.push_back(is_box ? static_cast<float>(leaf.low[at]) : 0.0F);
            high_.push_back(is_box ? static_cast<float>(leaf.high[at]) : static_cast<float>(leaf.n - 1));
        }
    actions_.resize(columns * low_.size());
    for (Group& group : groups_) {
        const auto size = static_cast<std::size_t>(group.batch->count());
        group.active.assign(size, 1);
        group.continues.resize(size);
        group.terminated.resize(size);
        group.truncated.resize(size);
        group.leaves.resize(leaves_.size());
    }
    own_ = {.observations = leaves_.data(),
            .mask = mask_.empty() ? nullptr : mask_.data(),
            .rewards = rewards_.data(),
            .terminated = terminated_.data(),
            .truncated = truncated_.data()};
}

void BuiltInBatch::observe(Group& group, const Output& output) {
    const auto first = static_cast<std::size_t>(group.first) * static_cast<std::size_t>(spec_.agents);
    for (std::size_t i = 0; i < group.leaves.size(); ++i)
        group.leaves[i] =
            static_cast<std::uint8_t*>(output.observations[i]) + first * spec_.spaces.obs[i].bytes();
    const auto mask_bytes = static_cast<std::size_t>(spec_.spaces.maskBytes());
    group.batch->observe(group.leaves.data(), mask_.empty() ? nullptr : output.mask + first * mask_bytes);
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
            group.active[static_cast<std::size_t>(i)] = 1;
        }
        observe(group, own_);
    }
    return {};
}

Result<> BuiltInBatch::copyActions(const float* actions) {
    const std::size_t words = low_.size();
    if (words == 1 && is_discrete_) {
        bool is_valid = false;
        copyReals({.from = actions, .to = actions_.data(), .count = actions_.size(), .high = high_.front()},
                  &is_valid);
        if (is_valid) return {};
    }
    for (int column = 0; column < columns(); ++column, actions += words) {
        if (!isAction(spec_.spaces, actions)) return noSuchAction(static_cast<std::size_t>(column));
        float* to = actions_.data() + static_cast<std::size_t>(column) * words;
        for (std::size_t word = 0; word < words; ++word)
            to[word] = std::clamp(actions[word], low_[word], high_[word]);
    }
    return {};
}

Result<> BuiltInBatch::copyActions(const std::int64_t* choices) {
    if (!is_discrete_)
        return fail(ErrorCode::config, "'" + spec_.id + "' has actions that are real numbers, not choices");
    const std::size_t words = low_.size(), count = actions_.size();
    if (words == 1) {
        bool is_valid = false;
        const auto high = static_cast<std::int64_t>(high_.front());
        copyIntegers({.from = choices, .to = actions_.data(), .count = count, .high = high}, &is_valid);
        if (is_valid) return {};
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (choices[i] < 0 || choices[i] > static_cast<std::int64_t>(high_[i % words]))
            return noSuchAction(i / words);
        actions_[i] = static_cast<float>(choices[i]);
    }
    return {};
}

Result<> BuiltInBatch::step(const float* actions, const Output& output) {
    SEEDBED_TRY(copyActions(actions));
    return stepAll(output);
}

Result<> BuiltInBatch::step(const std::int64_t* choices, const Output& output) {
    SEEDBED_TRY(copyActions(choices));
    return stepAll(output);
}

Result<> BuiltInBatch::stepAll(const Output& output) {
    if (pool_ == nullptr) return step(groups_.front(), output);
    return pool_->run(groups_.size(), [&](std::size_t group, int) { return step(groups_[group], output); });
}

Result<> BuiltInBatch::step(Group& group, const Output& output) {
    const auto agents = static_cast<std::size_t>(spec_.agents), count = group.active.size(),
               first = static_cast<std::size_t>(group.first), column = first * agents;
    float* const rewards = output.rewards + column;
    SEEDBED_TRY(group.batch->step(actions_.data() + column * low_.size(), group.active.data(),
                                  rngs_.data() + first, rewards, group.terminated.data(),
                                  group.truncated.data()));
    passEpisodes({.count = count,
                  .horizon = spec_.horizon > 0 ? spec_.horizon : std::numeric_limits<int>::max(),
                  .active = group.active.data(),
                  .steps = steps_.data() + first,
                  .terminated = group.terminated.data(),
                  .truncated = group.truncated.data(),
                  .continues = group.continues.data()});
    forEachZero(group.active.data(), count, [&](std::size_t env) {
        group.batch->reset(static_cast<int>(env), rngs_[first + env]);
        std::fill_n(rewards + env * agents, agents, 0.0F);
    });
    group.active.swap(group.continues);
    spread(group.terminated, agents, output.terminated + column);
    spread(group.truncated, agents, output.truncated + column);
    observe(group, output);
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
